import type { Clock } from '#kernel';

export interface GateLimits {
  /** Attempts under way at once, to one endpoint. */
  readonly inFlight: number;
  /** Attempts that wait inside the process for one of those to end. Further ones are told to retry later, so that they hold nothing. */
  readonly waiting: number;
  /** Attempts per second. */
  readonly perSecond: number;
  /** Failures in a row that pause the endpoint. */
  readonly failures: number;
  /** Retries per second that a paused endpoint hands out: each costs some work, and one of them is enough to find out. */
  readonly retriesPerSecond: number;
}

export const GATE_LIMITS: GateLimits = { inFlight: 16, waiting: 32, perSecond: 500, failures: 10, retriesPerSecond: 50 };

/** The pause after those failures, in milliseconds. It doubles up to the longest. */
const FIRST_PAUSE = 2_000;
const LONGEST_PAUSE = 30_000;
/** The shortest wait of a retry, in milliseconds. */
const SHORTEST_WAIT = 250;
/** The longest spread of the retries, in milliseconds: an endpoint that recovers gets all of them within this time. */
const LONGEST_SPREAD = 60_000;
/** The weight of a new attempt in the moving average of durations. */
const WEIGHT = 0.2;

/**
 * Ends the attempt. `failed`: there was no answer, or one that says the receiver is broken. Undefined: no attempt was made. `answeredAt`: when the
 * receiver answered, epoch milliseconds; now, if it is left out.
 */
export type Leave = (failed: boolean | undefined, answeredAt?: number) => void;

/** The attempt is to be made again, not before `at` (epoch milliseconds). */
export class RetryLater {
  constructor(readonly at: number) {}
}

/**
 * Limits the attempts to one endpoint: how many at once, how many per second, and none for a while after failures in a row (a circuit
 * breaker). So a slow endpoint does not delay the others.
 */
export class EndpointGate {
  readonly #queue: (() => void)[] = [];
  /** In the order of their starts, epoch milliseconds. */
  readonly #underWay = new Set<{ readonly startedAt: number }>();
  /** Moving average of the time until the receiver answers, in milliseconds. */
  #average = 0;
  #inFlight = 0;
  #tokens: number;
  #filledAt: number;
  #failures = 0;
  #pauses = 0;
  #pausedUntil = 0;
  /** The time that the last retry was given, epoch milliseconds. */
  #lastRetryAt = 0;

  constructor(
    private readonly clock: Clock,
    private readonly limits: GateLimits = GATE_LIMITS,
  ) {
    this.#tokens = limits.perSecond;
    this.#filledAt = clock.now();
  }

  /** Resolves when the attempt may start, with the function that ends it, or when it has to be retried later. */
  async enter(): Promise<Leave | RetryLater> {
    const refused = this.#refusal();
    if (refused) return refused;
    if (this.#inFlight >= this.#capacity()) {
      if (this.#queue.length >= this.limits.waiting) return this.retrySoon();
      await new Promise<void>((resolve) => this.#queue.push(resolve));
      this.#inFlight--; // handed over by the attempt that left
      const late = this.#refusal();
      if (late) {
        this.#admitWaiting();
        return late;
      }
    }
    this.#inFlight++;
    this.#tokens--;
    const attempt = { startedAt: this.clock.now() };
    this.#underWay.add(attempt);
    return (failed, answeredAt = this.clock.now()) => {
      this.#underWay.delete(attempt);
      if (failed !== undefined) this.#average += WEIGHT * (answeredAt - attempt.startedAt - this.#average);
      this.#leave(failed);
    };
  }

  /** For an attempt that has to wait for something else. */
  retrySoon(): RetryLater {
    return this.#retryFrom(this.clock.now() + SHORTEST_WAIT);
  }

  /** After a pause, a single attempt finds out whether the endpoint works again. */
  #capacity(): number {
    return this.#isFailing ? 1 : this.limits.inFlight;
  }

  get #isFailing(): boolean {
    return this.#failures >= this.limits.failures;
  }

  #refusal(): RetryLater | undefined {
    const now = this.clock.now();
    if (now < this.#pausedUntil) return this.#retryFrom(this.#pausedUntil);
    this.#tokens = Math.min(this.limits.perSecond, this.#tokens + ((now - this.#filledAt) * this.limits.perSecond) / 1000);
    this.#filledAt = now;
    return this.#tokens < 1 ? this.retrySoon() : undefined;
  }

  /** Spreads the retries, about as fast as attempts can be admitted: a backlog must not return all at once. */
  #retryFrom(at: number): RetryLater {
    const next = Math.max(this.#lastRetryAt, at) + this.#interval();
    this.#lastRetryAt = next > this.clock.now() + LONGEST_SPREAD ? at + this.#interval() : next;
    return new RetryLater(Math.ceil(this.#lastRetryAt));
  }

  /** Milliseconds between two retries. */
  #interval(): number {
    if (this.#isFailing) return 1_000 / this.limits.retriesPerSecond;
    const now = this.clock.now();
    const [oldest] = this.#underWay;
    const duration = Math.max(this.#average, now - (oldest?.startedAt ?? now));
    return Math.max(1_000 / this.limits.perSecond, duration / this.limits.inFlight);
  }

  #leave(failed: boolean | undefined): void {
    if (failed !== undefined) this.#count(failed);
    this.#inFlight--;
    this.#admitWaiting();
  }

  #count(failed: boolean): void {
    this.#failures = failed ? this.#failures + 1 : 0;
    if (!failed) this.#pauses = 0;
    const now = this.clock.now();
    // Attempts that were under way when the pause began do not prolong it.
    if (this.#isFailing && now >= this.#pausedUntil) this.#pausedUntil = now + Math.min(FIRST_PAUSE * 2 ** this.#pauses++, LONGEST_PAUSE);
  }

  #admitWaiting(): void {
    while (this.#queue.length > 0 && this.#inFlight < this.limits.inFlight) {
      this.#inFlight++;
      this.#queue.shift()?.();
    }
    // While there is capacity, a new retry does not line up behind the earlier ones.
    if (this.#inFlight < this.#capacity()) this.#lastRetryAt = 0;
  }
}
