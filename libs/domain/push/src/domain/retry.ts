const SHORTEST = 2_000;
const LONGEST = 60_000;

export interface FailedWakeUp {
  readonly now: number;
  /** When the session was pushed. */
  readonly at: number;
  readonly expiresAt: number;
  /** Milliseconds that the push service asks for. */
  readonly retryAfter?: number;
}

/** When a push that failed is tried again: each wait is as long as the time since the first attempt. Undefined: the session ends before. Times in epoch milliseconds. */
export const nextAttempt = ({ now, at, expiresAt, retryAfter = 0 }: FailedWakeUp): number | undefined => {
  const next = now + Math.max(retryAfter, Math.min(LONGEST, Math.max(SHORTEST, now - at)));
  return next < expiresAt ? next : undefined;
};
