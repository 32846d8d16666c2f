import type { EventStore } from '../event-store.js';
import type { EventStoreDbEventStoreOptions } from './eventstoredb-event-store.js';

/** Loads the driver, which whoever embeds the store does without, and opens the store. Throws when the connection string is none. */
export const openEventStoreDb = async (options: EventStoreDbEventStoreOptions): Promise<EventStore> => {
  const { EventStoreDbEventStore } = await import('./eventstoredb-event-store.js');
  return new EventStoreDbEventStore(options);
};
