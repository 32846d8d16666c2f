/** Waits for the next wake-up of one key. A wake-up between two calls of {@link next} is not lost. */
export interface Watch {
  /** Resolves with true at the next wake-up since the watch began or the last call answered; with false after `milliseconds`, or when the signal aborts. */
  next(milliseconds: number, signal: AbortSignal): Promise<boolean>;
  close(): void;
}

class OpenWatch implements Watch {
  #woken = false;
  #resolve: (() => void) | undefined;

  constructor(private readonly forget: (watch: OpenWatch) => void) {}

  wake(): void {
    this.#woken = true;
    this.#resolve?.();
  }

  next(milliseconds: number, signal: AbortSignal): Promise<boolean> {
    return new Promise((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', end);
        this.#resolve = undefined;
        resolve(this.#woken);
        this.#woken = false;
      };
      const timer = setTimeout(end, milliseconds);
      signal.addEventListener('abort', end);
      this.#resolve = end;
      if (this.#woken || signal.aborted) end();
    });
  }

  close(): void {
    this.forget(this);
  }
}

/** Callers that wait for something to happen to a key. */
export class WakeUps {
  readonly #watches = new Map<string, Set<OpenWatch>>();

  watch(key: string): Watch {
    const watch = new OpenWatch((closed) => this.#forget(key, closed));
    this.#watches.set(key, (this.#watches.get(key) ?? new Set()).add(watch));
    return watch;
  }

  wake(key: string): void {
    for (const watch of this.#watches.get(key) ?? []) watch.wake();
  }

  /** The keys that are watched. */
  get keys(): readonly string[] {
    return [...this.#watches.keys()];
  }

  isWatched(key: string): boolean {
    return this.#watches.has(key);
  }

  #forget(key: string, watch: OpenWatch): void {
    const watches = this.#watches.get(key);
    watches?.delete(watch);
    if (watches?.size === 0) this.#watches.delete(key);
  }
}
