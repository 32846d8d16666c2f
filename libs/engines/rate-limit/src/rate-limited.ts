import { DomainError } from '#kernel';

/** The caller exceeded a limit: 429 with `Retry-After` and `RateLimit-*`. */
export class RateLimited extends DomainError {
  readonly code = 'rate_limited';

  constructor(
    reason: string,
    /** How many events the window allows. */
    readonly limit: number,
    /** Seconds until the next event may succeed. */
    readonly retryAfter: number,
  ) {
    super(reason);
  }
}

/** How a limit has refused what was counted; undefined where it has not. Throws every other error. */
export const beyondLimit = (counted: Promise<void>): Promise<RateLimited | undefined> =>
  counted.then(
    () => undefined,
    (error: unknown) => {
      if (error instanceof RateLimited) return error;
      throw error;
    },
  );
