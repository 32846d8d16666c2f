import type { Clock } from '#kernel';

import type { EventStore } from '#engines/event-store';
import { SqliteEventStore } from '#engines/event-store';
import { BEHAVIOURS, type Dialect, DIALECTS } from './eventstoredb/grpc-test-server/dialect.js';

/** A kind of event store, for tests that have to pass on each of them. */
export interface StoreEngine {
  readonly engine: string;
  /** Whether it has transactions over streams ({@link EventStore.appendTogether}). */
  readonly hasTransactions: boolean;
  /** Opens an empty store that belongs to the caller alone. Its `close` ends the server behind it too. */
  readonly open: (clock: Clock) => Promise<EventStore>;
}

const SQLITE: StoreEngine = { engine: 'SQLite', hasTransactions: true, open: async (clock) => new SqliteEventStore({ path: ':memory:', clock }) };

/** The server is loaded by the tests that need it. */
const testServer = (engine: string, dialect: Dialect): StoreEngine => ({
  engine,
  hasTransactions: BEHAVIOURS[dialect].appendsRecords,
  open: async () => (await import('./eventstoredb/store-on-own-server.js')).storeOnOwnServer(dialect),
});

const WITHOUT_TRANSACTIONS = testServer('the gRPC test server', '23.10');

/**
 * One store with transactions over streams and one without, for tests of many requests: another dialect that has transactions answers them no otherwise, and the contract of the unit of
 * work runs on it.
 */
export const UNLIKE_STORES: readonly StoreEngine[] = [SQLITE, WITHOUT_TRANSACTIONS];

/**
 * For rules that the code above the port decides, whatever the store: SQLite alone, and each of {@link UNLIKE_STORES} in the long run of CI (`TEST_STORES=unlike`). What a store may change is proven
 * by the contracts of the port and of the unit of work, by attacks on {@link STORE_ENGINES}, and by the distributed suite.
 */
export const USUAL_STORES: readonly StoreEngine[] = process.env['TEST_STORES'] === 'unlike' ? UNLIKE_STORES : [SQLITE];

/** Attacks on the service run on each of these: `describe.each(STORE_ENGINES)('over $engine', ({ open }) => …)`. */
export const STORE_ENGINES: readonly StoreEngine[] = [...UNLIKE_STORES, testServer('the gRPC test server in the dialect of KurrentDB', '26.1')];

/** The same, with the gRPC test server in each of its dialects: for the contracts. */
export const STORE_DIALECTS: readonly StoreEngine[] = [
  SQLITE,
  ...DIALECTS.map((dialect) => testServer(`the gRPC test server in the dialect of ${dialect}`, dialect)),
];
