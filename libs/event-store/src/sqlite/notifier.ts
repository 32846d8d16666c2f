interface Waiting {
  readonly categories: readonly string[];
  wake(): void;
}

/** Wakes the subscriptions that wait for events of their categories. */
export class Notifier {
  readonly #waiting = new Set<Waiting>();

  /** `categories`: those of the events that were committed. Default: every subscription is woken. */
  notify(categories?: ReadonlySet<string>): void {
    for (const waiting of [...this.#waiting]) {
      if (!categories || waiting.categories.some((category) => categories.has(category))) waiting.wake();
    }
  }

  /** Resolves at the next {@link notify} of one of the categories, or when the signal aborts. */
  wait(categories: readonly string[], signal: AbortSignal): Promise<void> {
    if (signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const wake = (): void => {
        this.#waiting.delete(waiting);
        signal.removeEventListener('abort', wake);
        resolve();
      };
      const waiting = { categories, wake };
      this.#waiting.add(waiting);
      signal.addEventListener('abort', wake);
    });
  }
}
