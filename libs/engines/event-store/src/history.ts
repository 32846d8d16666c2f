import type { DomainEvent } from '#kernel';

import type { EventStore, RecordedEvent } from './event-store.js';

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
