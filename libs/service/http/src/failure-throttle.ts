import type { Limit, RateLimits } from '#engines/rate-limit';

/** Counts failures by caller, which is `callerOf` a request, or by another name such as a person's. Successful requests are neither counted nor limited. */
export class FailureThrottle {
  readonly #limit: Limit;

  /** `name`: of the kind of failure. */
  constructor(
    private readonly limits: RateLimits,
    name: string,
    perMinute: number,
    private readonly reason = 'too many failures from this address',
  ) {
    this.#limit = { name, times: perMinute, seconds: 60 };
  }

  /** Throws RateLimited for each failure beyond the limit of a minute. */
  failed(by: string): Promise<void> {
    return this.limits.take(this.#limit, by, this.reason);
  }

  /** Takes back what {@link failed} has counted before the outcome was known. */
  passed(by: string): Promise<void> {
    return this.limits.giveBack(this.#limit, by);
  }

  /**
   * Runs a check that costs work or may be guessed, unless the caller has reached the limit: then it throws RateLimited and checks nothing. Counted before the
   * check, so that guesses at the same time are counted too. Taken back unless the check fails, which it tells by undefined; one that throws has not judged.
   */
  async guard<Result>(by: string, check: () => Promise<Result>): Promise<Result> {
    await this.failed(by);
    let failed = false;
    try {
      const result = await check();
      failed = result === undefined;
      return result;
    } finally {
      if (!failed) await this.passed(by);
    }
  }
}
