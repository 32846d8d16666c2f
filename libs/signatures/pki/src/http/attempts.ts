import { type Pause, type Randomness, retry, ServiceUnavailable } from '#kernel';

import { ExchangeFailed } from './exchange.js';

const ATTEMPTS = 2;
const PAUSE = 200;

export interface AttemptSettings {
  readonly randomness: Randomness;
  readonly pause: Pause;
  /** Whether an error of `attempt` is the peer's fault, so that the next peer may do better. */
  readonly isBadAnswer: (error: unknown) => boolean;
  /** Whether another attempt may begin. Default: always. */
  readonly mayGoOn?: () => boolean;
}

/** No attempt may begin any more. */
class TooLate extends Error {}

/**
 * Asks the peers in their order, each at most twice with a jittered pause between, until one gives a good answer.
 * Throws ServiceUnavailable with all their reasons when none did.
 */
export const firstGoodAnswer = async <Peer, Answer>(
  peers: readonly Peer[],
  attempt: (peer: Peer) => Promise<Answer>,
  { randomness, pause, isBadAnswer, mayGoOn = () => true }: AttemptSettings,
): Promise<Answer> => {
  const reasons: string[] = [];
  for (const peer of peers) {
    try {
      const ask = (): Promise<Answer> => {
        if (reasons.length > 0 && !mayGoOn()) throw new TooLate();
        return attempt(peer);
      };
      return await retry(ask, {
        waits: (failures) => (failures < ATTEMPTS ? PAUSE + (randomness.bytes(1)[0] ?? 0) : undefined),
        when: (error) => error instanceof ExchangeFailed && error.repeat,
        onRetry: (error) => reasons.push((error as ExchangeFailed).message),
        pause,
      });
    } catch (error) {
      if (error instanceof TooLate) break;
      if (!(error instanceof ExchangeFailed) && !isBadAnswer(error)) throw error;
      reasons.push((error as Error).message);
    }
  }
  throw new ServiceUnavailable(`no usable answer from the trust service: ${reasons.join('; ') || 'none is configured'}`);
};
