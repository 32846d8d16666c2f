import type { Clock } from '#kernel';

export interface GateLimits {
  /** Attempts under way at once, to one endpoint. */
  readonly inFlight: number;
  /** Attempts that wait for one of those to end. Whoever comes then comes again later, so that he holds nothing. */
  readonly waiting: number;
  /** Attempts in a second. */
  readonly perSecond: number;
  /** Failures in a row after which the endpoint is left alone for a while. */
  readonly failures: number;
  /** Of those who were turned away so many come back in a second while it fails: each of them costs something, and one finds out. */
  readonly comingBack: number;
}

export const GATE_LIMITS: GateLimits = { inFlight: 16, waiting: 32, perSecond: 500, failures: 10, comingBack: 50 };

/** The pause after those failures, in milliseconds; it doubles up to the longest. */
const FIRST_PAUSE = 2_000;
const LONGEST_PAUSE = 30_000;
const COME_AGAIN = 250;
/** Nobody is sent away for longer, in milliseconds: so soon after an endpoint is back everybody has come. */
const LONGEST_ABSENCE = 60_000;
/** Of the new in the average time of an attempt. */
const WEIGHT = 0.2;

/** Comes back with the end of the attempt; `failed`: nobody answered, or the receiver says that it is broken; undefined: there was none. */
export type Leave = (failed: boolean | undefined) => void;

/** Not now; not before that time, epoch milliseconds. */
export class NotNow {
  constructor(readonly at: number) {}
}

/**
 * What one endpoint may take of us: so many attempts at once and in a second, and none for a while after it has failed again
 * and again (a circuit breaker). So the slowness of one endpoint stays its own.
 */
export class EndpointGate {
  readonly #queue: (() => void)[] = [];
  /** In the order of their beginnings, epoch milliseconds. */
  readonly #underWay = new Set<{ readonly begun: number }>();
  /** What an attempt has taken of late, in milliseconds. */
  #average = 0;
  #inFlight = 0;
  #tokens: number;
  #filledAt: number;
  #failures = 0;
  #pauses = 0;
  #closedUntil = 0;
  #turn = 0;

  constructor(
    private readonly clock: Clock,
    private readonly limits: GateLimits = GATE_LIMITS,
  ) {
    this.#tokens = limits.perSecond;
    this.#filledAt = clock.now();
  }

  async enter(): Promise<Leave | NotNow> {
    const refused = this.#refusal();
    if (refused) return refused;
    if (this.#inFlight >= this.#room()) {
      if (this.#queue.length >= this.limits.waiting) return this.soon();
      await new Promise<void>((resolve) => this.#queue.push(resolve));
      this.#inFlight--; // handed over by whoever left
      const late = this.#refusal();
      if (late) {
        this.#next();
        return late;
      }
    }
    this.#inFlight++;
    this.#tokens--;
    const attempt = { begun: this.clock.now() };
    this.#underWay.add(attempt);
    return (failed) => {
      this.#underWay.delete(attempt);
      if (failed !== undefined) this.#average += WEIGHT * (this.clock.now() - attempt.begun - this.#average);
      this.#leave(failed);
    };
  }

  /** For who has to wait for something else for a moment. */
  soon(): NotNow {
    return this.#later(this.clock.now() + COME_AGAIN);
  }

  /** After a pause one attempt finds out whether the endpoint is back. */
  #room(): number {
    return this.#isFailing ? 1 : this.limits.inFlight;
  }

  get #isFailing(): boolean {
    return this.#failures >= this.limits.failures;
  }

  #refusal(): NotNow | undefined {
    const now = this.clock.now();
    if (now < this.#closedUntil) return this.#later(this.#closedUntil);
    this.#tokens = Math.min(this.limits.perSecond, this.#tokens + ((now - this.#filledAt) * this.limits.perSecond) / 1000);
    this.#filledAt = now;
    return this.#tokens < 1 ? this.soon() : undefined;
  }

  /** Those who are turned away come back one by one, about as fast as they can be let in: a backlog must not become a storm. */
  #later(at: number): NotNow {
    const next = Math.max(this.#turn, at) + this.#step();
    this.#turn = next > this.clock.now() + LONGEST_ABSENCE ? at + this.#step() : next;
    return new NotNow(Math.ceil(this.#turn));
  }

  /** Milliseconds between two of them. */
  #step(): number {
    if (this.#isFailing) return 1_000 / this.limits.comingBack;
    const now = this.clock.now();
    const [oldest] = this.#underWay;
    const takes = Math.max(this.#average, now - (oldest?.begun ?? now));
    return Math.max(1_000 / this.limits.perSecond, takes / this.limits.inFlight);
  }

  #leave(failed: boolean | undefined): void {
    if (failed !== undefined) this.#note(failed);
    this.#inFlight--;
    this.#next();
  }

  #note(failed: boolean): void {
    this.#failures = failed ? this.#failures + 1 : 0;
    if (!failed) this.#pauses = 0;
    const now = this.clock.now();
    // Those that were under way together with the one that closed the gate close it no further.
    if (this.#isFailing && now >= this.#closedUntil) this.#closedUntil = now + Math.min(FIRST_PAUSE * 2 ** this.#pauses++, LONGEST_PAUSE);
  }

  #next(): void {
    while (this.#queue.length > 0 && this.#inFlight < this.limits.inFlight) {
      this.#inFlight++;
      this.#queue.shift()?.();
    }
    // Where there is room, nobody stands behind those who were turned away before.
    if (this.#inFlight < this.#room()) this.#turn = 0;
  }
}
