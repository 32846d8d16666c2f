import { openEventStoreDb } from '#engines/event-store';
import { SystemClock, SystemRandomness } from '#kernel';
import { eventually } from '#testkit/kernel/eventually';

import type { Topology } from '../../../testkit/topologies/topology.ts';

/** Starts the event store again; resolves when it takes writes, for which a real one needs some time. */
export const startStore = async (topology: Topology): Promise<void> => {
  await topology.store.start();
  const store = await openEventStoreDb({ connectionString: topology.store.url, clock: new SystemClock(), randomness: new SystemRandomness() });
  await eventually(
    () =>
      store.check().then(
        () => true,
        () => false,
      ),
    { what: 'the store takes writes', within: 60_000 },
  );
  await store.close();
};
