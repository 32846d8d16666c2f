import { DomainError } from '#kernel';

/** 429: answered with `Retry-After` and `RateLimit-*`. */
export class RateLimited extends DomainError {
  readonly code = 'rate_limited';

  constructor(
    reason: string,
    /** How many there may be in the window. */
    readonly limit: number,
    /** Seconds until the next one may succeed. */
    readonly retryAfter: number,
  ) {
    super(reason);
  }
}
