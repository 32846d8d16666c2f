import { setTimeout as sleep } from 'node:timers/promises';

import { type Randomness, ServiceUnavailable } from '#kernel';

import { ExchangeFailed } from './exchange.js';

/** Waits so many milliseconds. A parameter only so that tests need not wait. */
export type Pause = (milliseconds: number) => Promise<unknown>;

export const realPause: Pause = (milliseconds) => sleep(milliseconds);

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
    for (let attempts = 1; attempts <= ATTEMPTS; attempts += 1) {
      if (reasons.length > 0 && !mayGoOn()) break;
      try {
        return await attempt(peer);
      } catch (error) {
        if (!(error instanceof ExchangeFailed) && !isBadAnswer(error)) throw error;
        reasons.push((error as Error).message);
        if (!(error instanceof ExchangeFailed && error.repeat) || attempts === ATTEMPTS) break;
        await pause(PAUSE + (randomness.bytes(1)[0] ?? 0));
      }
    }
  }
  throw new ServiceUnavailable(`no usable answer from the trust service: ${reasons.join('; ') || 'none is configured'}`);
};
