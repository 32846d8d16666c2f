import { EventStoreUnavailable } from '../event-store.js';
import type { EventStoreDbEventStore } from './eventstoredb-event-store.js';
import type { EventStoreDbEventStoreOptions } from './eventstoredb-options.js';
import type { RightsGrant } from './grant-rights.js';
import type { ScavengedNode, ScavengeOptions } from './scavenge-nodes.js';

/** Loads the driver, which a process with the SQLite store does not need, and opens the store. Throws for an invalid connection string. */
export const openEventStoreDb = async (options: EventStoreDbEventStoreOptions): Promise<EventStoreDbEventStore> => {
  const driver = await import('./eventstoredb-event-store.js');
  return new driver.EventStoreDbEventStore(options);
};

/** Loads the driver and scavenges the nodes: see {@link scavengeNodes}. */
export const scavengeEventStoreDb = async function* (options: ScavengeOptions): AsyncGenerator<ScavengedNode> {
  const { scavengeNodes } = await import('./scavenge-nodes.js');
  yield* scavengeNodes(options);
};

/** Loads the driver and gives the services their rights: see {@link RightsGrant}. Throws EventStoreUnavailable with the reason, and a TypeError for an invalid connection string. */
export const grantRightsInEventStoreDb = async (grant: RightsGrant): Promise<void> => {
  const { grantRights } = await import('./grant-rights.js');
  try {
    await grantRights(grant);
  } catch (error) {
    if (!(error instanceof Error) || !('type' in error))
      throw new TypeError('not a connection string that EventStoreDB knows, such as esdb://host:2113?tls=true');
    throw new EventStoreUnavailable(
      error.type === 'access-denied' ? 'EventStoreDB: the credentials are not those of an administrator' : `EventStoreDB: ${String(error.type)}`,
    );
  }
};
