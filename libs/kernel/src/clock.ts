/** The source of the time for every component. Nothing else in the product reads the system's clock. */
export abstract class Clock {
  /** Milliseconds since the Unix epoch. */
  abstract now(): number;
  /** Milliseconds that only grow, for measuring durations; unrelated to the date. */
  abstract monotonic(): number;

  /** Whether the time may leap. Then a caller that waits for a time does not rely on one timer, but looks at the clock several times. */
  get leaps(): boolean {
    return true;
  }
}

export class SystemClock extends Clock {
  override now(): number {
    return Date.now();
  }

  override monotonic(): number {
    return performance.now();
  }

  override get leaps(): boolean {
    return false;
  }
}

/** Epoch seconds of an epoch time in milliseconds, rounded down, so that an announced time is never later than the real one. */
export const epochSeconds = (milliseconds: number): number => Math.floor(milliseconds / 1000);
