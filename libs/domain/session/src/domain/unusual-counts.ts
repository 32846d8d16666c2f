import { RecentlyUsed } from '#kernel';

/** The length of a window, in milliseconds. */
const WINDOW = 5 * 60_000;
/** The number of windows after the start in which a process only learns usual counts. */
const LEARNING = 3;
/** The number of windows, a day, after which the memory of the busiest window is halved. */
const HALVES = 288;
/** A window is unusual when its count exceeds `TIMES` times that of the busiest window, and `LEAST`. */
const TIMES = 3;
const LEAST = 50;
/** The number of remembered keys. The least recently counted key is forgotten, and is new when it comes again. About 150 bytes each. */
const REMEMBERED = 10_000;

interface Counted {
  window: number;
  count: number;
  /** The greatest count of earlier windows, halved each day. */
  busiest: number;
}

/**
 * Reports when a key is counted unusually often: more than fifty times in five minutes, and more than three times as often as in the busiest five minutes
 * that this process remembers. A slower growth, as in the morning, becomes usual and is not reported.
 */
export class UnusualCounts {
  readonly #counted = new RecentlyUsed<string, Counted>(REMEMBERED);

  constructor(
    /** Monotonic milliseconds. */
    private readonly began: number,
  ) {}

  /** Adds one to the count of a key. Answers the count when it becomes unusual, once in a window; otherwise undefined. */
  add(key: string, now: number): number | undefined {
    const window = Math.floor((now - this.began) / WINDOW);
    const counted = this.#current(key, window);
    counted.count += 1;
    const most = Math.max(LEAST, TIMES * counted.busiest);
    return window >= LEARNING && counted.count > most && counted.count - 1 <= most ? counted.count : undefined;
  }

  #current(key: string, window: number): Counted {
    const found = this.#counted.get(key);
    if (found?.window === window) return found;
    const busiest = found ? Math.max(found.busiest, found.count) * 0.5 ** ((window - found.window) / HALVES) : 0;
    const counted = { window, count: 0, busiest };
    this.#counted.set(key, counted);
    return counted;
  }
}
