import { type EventStore, SubscriptionRefused } from './event-store.js';

/** Wakes callers that wait for a change of a stream in one category. It is only a hint: a woken caller reads the stream. */
export class StreamChanges {
  readonly #waiting = new Map<string, Set<() => void>>();

  constructor(
    private readonly store: EventStore,
    private readonly category: string,
  ) {}

  /** Follows the store from now on, until the signal ends it or the store refuses it, which makes the store not ready. */
  async run(signal: AbortSignal): Promise<void> {
    try {
      for await (const item of this.store.subscribe({ after: 'end', categories: [this.category], signal })) {
        if (item !== 'caught-up') this.#wake(item.stream);
      }
    } catch (error) {
      if (!(error instanceof SubscriptionRefused)) throw error;
    }
  }

  /** Resolves at the next event of `<category>-<id>`, after `milliseconds`, or when the signal aborts; whichever is first. */
  next(id: string, milliseconds: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const stream = `${this.category}-${id.toLowerCase()}`;
      const wake = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', wake);
        this.#forget(stream, wake);
        resolve();
      };
      const timer = setTimeout(wake, milliseconds);
      signal.addEventListener('abort', wake);
      this.#waiting.set(stream, (this.#waiting.get(stream) ?? new Set()).add(wake));
      if (signal.aborted) wake();
    });
  }

  #wake(stream: string): void {
    for (const wake of [...(this.#waiting.get(stream) ?? [])]) wake();
  }

  #forget(stream: string, wake: () => void): void {
    const waiting = this.#waiting.get(stream);
    waiting?.delete(wake);
    if (waiting?.size === 0) this.#waiting.delete(stream);
  }
}
