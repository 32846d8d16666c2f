import type { Limit, RateLimits } from '#engines/rate-limit';

/** Counts the polls of one session or device, whose credential was right, so that one that was stolen or given away cannot be used for a flood. */
export class PollLimit {
  readonly #limit: Limit;

  constructor(
    private readonly limits: RateLimits,
    perMinute: number,
  ) {
    this.#limit = { name: 'polls', times: perMinute, seconds: 60 };
  }

  /** Throws RateLimited beyond the limit. */
  take(holder: string): Promise<void> {
    return this.limits.take(this.#limit, holder, 'too many polls of one holder');
  }
}
