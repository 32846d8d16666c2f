import { growing, type Pause, pause, retry, type RetryOptions } from '#kernel/browser';
import type { Reply } from '#web-page/calls';

const usualDelay = growing({ first: 1000, longest: 5000 });

/** How long to wait before the n-th repetition of a call without an answer: 1, 2, 4, then 5 s, or the time that the service asked for. */
export const retryDelayMs = (failures: number, askedForMs?: number): number => askedForMs ?? usualDelay(failures);

/** Waits; ends early when the browser is online again. */
export const pauseUntilOnline: Pause = async (milliseconds) => {
  const online = new AbortController();
  const end = (): void => online.abort();
  addEventListener('online', end);
  await pause(milliseconds, online.signal);
  removeEventListener('online', end);
};

/** A reply other than UNREACHABLE. */
export type AnsweredReply<Body> = Exclude<Reply<Body>, { kind: 'UNREACHABLE' }>;

class Unreachable extends Error {
  constructor(readonly retryAfterMs?: number) {
    super();
  }
}

/** Repeats a call until the service answers; `call` learns whether it is a repetition. Rejects with the reason of the signal. */
export const untilAnswered = <Body>(
  call: (again: boolean) => Promise<Reply<Body>>,
  options: Pick<RetryOptions, 'pause' | 'signal' | 'onRetry'>,
): Promise<AnsweredReply<Body>> => {
  const attempt = async (tries: number): Promise<AnsweredReply<Body>> => {
    const reply = await call(tries > 1);
    if (reply.kind === 'UNREACHABLE') throw new Unreachable(reply.retryAfterMs);
    return reply;
  };
  return retry(attempt, {
    ...options,
    when: (error) => error instanceof Unreachable,
    waits: (failures, error) => retryDelayMs(failures, (error as Unreachable).retryAfterMs),
  });
};
