import type { DomainEvent } from '#kernel';

import type { EventStore, RecordedEvent, SubscriptionItem } from './event-store.js';

/** Feeds a read model in memory: with the whole history at start, then with each new event. No decision is taken on such a model. */
export class Projection<Event extends DomainEvent = DomainEvent> {
  readonly #caughtUp = Promise.withResolvers<void>();
  #failure: Error | undefined;

  /** Ends with the signal. */
  constructor(store: EventStore, categories: readonly string[], apply: (event: RecordedEvent<Event>) => void, signal: AbortSignal) {
    follow(store.subscribe<Event>({ categories, signal }), apply, this.#caughtUp.resolve).catch((cause: unknown) => {
      this.#failure = new Error(`the projection of ${categories.join(', ')} failed`, { cause });
      this.#caughtUp.reject(this.#failure);
    });
    this.#caughtUp.promise.catch(() => undefined); // `ready` rejects
  }

  /** For the readiness probe: resolves when the history up to the start has been applied, and rejects once the projection has failed. */
  get ready(): Promise<void> {
    return this.#failure ? Promise.reject(this.#failure) : this.#caughtUp.promise;
  }
}

const follow = async <Event extends DomainEvent>(
  items: AsyncIterable<SubscriptionItem<Event>>,
  apply: (event: RecordedEvent<Event>) => void,
  caughtUp: () => void,
): Promise<void> => {
  for await (const item of items) {
    if (item === 'caught-up') caughtUp();
    else apply(item);
  }
};

/** All events of the categories that were stored before the call, in order of position. */
export const history = async function* <Event extends DomainEvent = DomainEvent>(
  store: EventStore,
  categories: readonly string[],
): AsyncGenerator<RecordedEvent<Event>> {
  const enough = new AbortController();
  try {
    for await (const item of store.subscribe<Event>({ categories, signal: enough.signal })) {
      if (item === 'caught-up') return;
      yield item;
    }
  } finally {
    enough.abort();
  }
};

/**
 * All events of the categories up to one that an append has answered and that is of one of the categories, that one excluded. Misses none,
 * also where a subscription says that it has caught up before it hands over what was appended just now.
 */
export const historyBefore = async function* <Event extends DomainEvent = DomainEvent>(
  store: EventStore,
  categories: readonly string[],
  { position }: RecordedEvent,
): AsyncGenerator<RecordedEvent<Event>> {
  const enough = new AbortController();
  try {
    for await (const item of store.subscribe<Event>({ categories, signal: enough.signal })) {
      if (item === 'caught-up') continue;
      if (item.position >= position) return;
      yield item;
    }
  } finally {
    enough.abort();
  }
};
