import { Clock } from '#kernel';

/** Stands still until it is moved. */
export class FixedClock extends Clock {
  constructor(private at = Date.UTC(2026, 0, 1)) {
    super();
  }

  override now(): number {
    return this.at;
  }

  override monotonic(): number {
    return this.at;
  }

  advance(milliseconds: number): void {
    this.at += milliseconds;
  }
}
