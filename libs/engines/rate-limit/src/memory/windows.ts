interface Window {
  count: number;
  /** Milliseconds after the counter was made. A small whole number takes less memory than a time. */
  readonly startedAt: number;
}

/**
 * Windows of one length. Each begins with the first event of its key. A key takes some 200 bytes and no timer. Windows are forgotten together, at most two lengths
 * after they began, so a client that pushes to one unknown subject after the other fills no memory for longer.
 */
export class Windows {
  #young = new Map<string, Window>();
  /** Those that began in the length before. */
  #old = new Map<string, Window>();
  #youngSince = 0;

  /** `length`: in milliseconds. */
  constructor(readonly length: number) {}

  /** How many keys take memory. */
  get size(): number {
    return this.#young.size + this.#old.size;
  }

  /** Counts one event at that time, in milliseconds. Answers how many the window has now, and the milliseconds until it ends. */
  count(key: string, now: number): { readonly count: number; readonly left: number } {
    const window = this.#find(key, now) ?? this.#begin(key, now);
    window.count += 1;
    return { count: window.count, left: window.startedAt + this.length - now };
  }

  /** Takes back one event, if its window has not ended. */
  giveBack(key: string, now: number): void {
    const window = this.#find(key, now);
    if (window && window.count > 0) window.count -= 1;
  }

  /** Forgets windows that have ended long enough. */
  forget(now: number): void {
    if (now < this.#youngSince + this.length) return;
    this.#old = now < this.#youngSince + 2 * this.length ? this.#young : new Map<string, Window>();
    this.#young = new Map<string, Window>();
    this.#youngSince = now;
  }

  #find(key: string, now: number): Window | undefined {
    this.forget(now);
    const window = this.#young.get(key) ?? this.#old.get(key);
    return window && now < window.startedAt + this.length ? window : undefined;
  }

  #begin(key: string, now: number): Window {
    const window = { count: 0, startedAt: now };
    this.#young.set(key, window);
    return window;
  }
}
