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
