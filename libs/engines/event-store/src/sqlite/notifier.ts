/** A subscription that waits for events of its categories, time after time. It listens to its signal once, not at each wait. */
export class Waiter {
  #resolve: (() => void) | undefined;

  constructor(
    private readonly waiters: Set<Waiter>,
    readonly categories: readonly string[],
    private readonly signal: AbortSignal,
  ) {
    waiters.add(this);
    signal.addEventListener('abort', this.leave);
  }

  /** Resolves at the next event of the categories, when the signal aborts, and when the waiter leaves; at once after these two. For one caller at a time. */
  wait(): Promise<void> {
    if (!this.waiters.has(this)) return Promise.resolve();
    return new Promise((resolve) => {
      this.#resolve = resolve;
    });
  }

  wake(): void {
    this.#resolve?.();
    this.#resolve = undefined;
  }

  readonly leave = (): void => {
    this.waiters.delete(this);
    this.signal.removeEventListener('abort', this.leave);
    this.wake();
  };
}

/** Wakes the subscriptions that wait for events of their categories. */
export class Notifier {
  readonly #waiters = new Set<Waiter>();

  /** `categories`: those of the events that were committed. Default: every subscription is woken. */
  notify(categories?: ReadonlySet<string>): void {
    for (const waiter of this.#waiters) if (!categories || waiter.categories.some((category) => categories.has(category))) waiter.wake();
  }

  /** Waits for events of these categories until it leaves, or the signal aborts. */
  join(categories: readonly string[], signal: AbortSignal): Waiter {
    const waiter = new Waiter(this.#waiters, categories, signal);
    if (signal.aborted) waiter.leave();
    return waiter;
  }
}
