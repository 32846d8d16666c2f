import type { Clock } from '#kernel';

import type { EventStore } from '#engines/event-store';
import { SqliteEventStore } from '#engines/event-store';

/** A kind of event store, for tests that have to pass on each of them. */
export interface StoreEngine {
  readonly engine: string;
  /** Whether it has transactions over streams ({@link EventStore.appendTogether}). */
  readonly hasTransactions: boolean;
  /** Opens an empty store that belongs to the caller alone. Its `close` ends the server behind it too. */
  readonly open: (clock: Clock) => Promise<EventStore>;
}

/** Attacks on the service run on each of these: `describe.each(STORE_ENGINES)('over $engine', ({ open }) => …)`. */
export const STORE_ENGINES: readonly StoreEngine[] = [
  { engine: 'SQLite', hasTransactions: true, open: async (clock) => new SqliteEventStore({ path: ':memory:', clock }) },
  {
    engine: 'the gRPC test server',
    hasTransactions: false,
    // loaded by the tests that need it
    open: async () => (await import('./eventstoredb/store-on-own-server.js')).storeOnOwnServer(),
  },
];
