import type { Clock } from '#kernel';

/** Milliseconds between two checks of the clock, which may have been moved. */
const CHECK_INTERVAL = 1_000;

/** Does its work at once and then once in each `period` (milliseconds of the clock). Work that fails is done again in the next period. Keeps no process alive. */
export class Recurrence {
  readonly #timer: NodeJS.Timeout;
  #lastAt: number;

  constructor(
    private readonly clock: Clock,
    period: number,
    private readonly work: () => Promise<unknown>,
  ) {
    this.#lastAt = clock.now();
    this.#timer = setInterval(() => {
      // In both directions: after a clock was set back, the work would wait too long.
      if (Math.abs(clock.now() - this.#lastAt) >= period) this.#do();
    }, CHECK_INTERVAL).unref();
    this.#do();
  }

  end(): void {
    clearInterval(this.#timer);
  }

  #do(): void {
    this.#lastAt = this.clock.now();
    void this.work().catch(() => undefined);
  }
}
