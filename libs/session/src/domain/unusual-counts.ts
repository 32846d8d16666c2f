import { RecentlyUsed } from '#kernel';

/** Of a window, in milliseconds. */
const WINDOW = 5 * 60_000;
/** Windows after the start in which a process only learns what is usual. */
const LEARNING = 3;
/** In which the memory of the busiest window halves. */
const HALVES = 288;
/** A window is out of the ordinary from so many times the busiest one on, and never with fewer than so many. */
const TIMES = 3;
const LEAST = 50;
/** Those that were counted longest ago are forgotten, and new again when they come. About 150 bytes each. */
const REMEMBERED = 10_000;

interface Counted {
  window: number;
  count: number;
  /** The greatest count of the windows before, halved in a day. */
  busiest: number;
}

/**
 * Tells when something happens far more often than ever lately: more than three times as often in five minutes as in the busiest five minutes that this process
 * remembers, and more than fifty times. What grows more slowly becomes usual: a morning is no alarm.
 */
export class UnusualCounts {
  readonly #counted = new RecentlyUsed<string, Counted>(REMEMBERED);

  constructor(
    /** Monotonic milliseconds. */
    private readonly began: number,
  ) {}

  /** Counts one. Answers the count when this one makes the window unusual: once in a window. */
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
