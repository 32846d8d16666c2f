import type { EventStore, RecordedEvent } from './event-store.js';

/** Feeds a read model in memory: the whole history at start, then what happens. No decision is taken on such a model. */
export class Projection {
  /** Resolves when the history up to the start has been applied. */
  readonly ready: Promise<void>;
  readonly #closed = new AbortController();

  constructor(store: EventStore, categories: readonly string[], apply: (event: RecordedEvent) => void) {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.ready = promise;
    this.#follow(store.subscribe({ categories, signal: this.#closed.signal }), apply, resolve).then(resolve, reject);
  }

  close(): void {
    this.#closed.abort();
  }

  async #follow(items: ReturnType<EventStore['subscribe']>, apply: (event: RecordedEvent) => void, caughtUp: () => void): Promise<void> {
    for await (const item of items) {
      if (item === 'caught-up') caughtUp();
      else apply(item);
    }
  }
}

/** All events of the categories that were stored before the call, in order of position. */
export const history = async function* (store: EventStore, categories: readonly string[]): AsyncGenerator<RecordedEvent> {
  const enough = new AbortController();
  try {
    for await (const item of store.subscribe({ categories, signal: enough.signal })) {
      if (item === 'caught-up') return;
      yield item;
    }
  } finally {
    enough.abort();
  }
};
