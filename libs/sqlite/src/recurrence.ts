import type { Clock } from '#kernel';

/** How often it is looked whether the time has come, in milliseconds: the clock may have been moved. */
const LOOK_EVERY = 1_000;

/** Does its work at once and then once in each `period` (milliseconds of the clock). What fails is left for the next time. Keeps no process alive. */
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
      // Either way: a clock that was set back would put the work off.
      if (Math.abs(clock.now() - this.#lastAt) >= period) this.#do();
    }, LOOK_EVERY).unref();
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
