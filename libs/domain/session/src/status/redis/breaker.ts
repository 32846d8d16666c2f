import type { Clock } from '#kernel';

/** Keeps calls away from a service that fails: after a failure none for a while, then one that finds out whether it works again. */
export class Breaker {
  #openUntil = 0;
  #state: 'closed' | 'open' | 'trying' = 'closed';

  constructor(
    private readonly clock: Clock,
    /** Milliseconds without a call after a failure. */
    private readonly pauseAfterFailure: number,
  ) {}

  get isClosed(): boolean {
    return this.#state === 'closed';
  }

  /** Whether a call may be made now. The caller then reports its outcome. */
  mayCall(): boolean {
    if (this.#state === 'closed') return true;
    if (this.#state === 'trying' || this.clock.monotonic() < this.#openUntil) return false;
    this.#state = 'trying';
    return true;
  }

  succeeded(): void {
    this.#state = 'closed';
  }

  failed(): void {
    this.#state = 'open';
    this.#openUntil = this.clock.monotonic() + this.pauseAfterFailure;
  }
}
