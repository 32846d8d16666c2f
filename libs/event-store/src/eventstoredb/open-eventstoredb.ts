import type { EventStore } from '../event-store.js';
import type { EventStoreDbEventStoreOptions } from './eventstoredb-event-store.js';
import type { ScavengedNode, ScavengeOptions } from './scavenge-nodes.js';

/** Loads the driver, which a process with the SQLite store does not need, and opens the store. Throws for an invalid connection string. */
export const openEventStoreDb = async (options: EventStoreDbEventStoreOptions): Promise<EventStore> => {
  const { EventStoreDbEventStore } = await import('./eventstoredb-event-store.js');
  return new EventStoreDbEventStore(options);
};

/** Loads the driver and scavenges the nodes: see {@link scavengeNodes}. */
export const scavengeEventStoreDb = async function* (options: ScavengeOptions): AsyncGenerator<ScavengedNode> {
  const { scavengeNodes } = await import('./scavenge-nodes.js');
  yield* scavengeNodes(options);
};
