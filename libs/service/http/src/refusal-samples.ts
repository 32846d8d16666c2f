import type { Clock } from '#kernel';

/** Milliseconds. */
const WINDOW = 10_000;
/** Lines of one kind in a window before they are sampled. */
const WRITTEN = 100;
/** Of the others one in so many is written. */
const ONE_IN = 100;

interface Count {
  readonly began: number;
  seen: number;
  /** Since the last line. */
  left: number;
}

/** Which log lines of refusals are written, so that a flood of refused requests does not fill the disk. Metrics count all of them. */
export class RefusalSamples {
  /** By kind: routes and codes, which are few. */
  readonly #counts = new Map<string, Count>();

  constructor(private readonly clock: Clock) {}

  /** The number of refusals of this kind that a line stands for, itself included; undefined: no line is written. */
  take(kind: string): number | undefined {
    const now = this.clock.monotonic();
    let count = this.#counts.get(kind);
    if (!count || now - count.began >= WINDOW) {
      count = { began: now, seen: 0, left: count?.left ?? 0 };
      this.#counts.set(kind, count);
    }
    count.seen += 1;
    count.left += 1;
    if (count.seen > WRITTEN && count.seen % ONE_IN !== 0) return undefined;
    const standsFor = count.left;
    count.left = 0;
    return standsFor;
  }
}
