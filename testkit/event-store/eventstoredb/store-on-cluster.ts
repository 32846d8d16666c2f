import type { Clock, Randomness } from '#kernel';

import type { EventStore } from '#engines/event-store';
import { openEventStoreDb } from '#engines/event-store';
import { SpawnedCluster } from './spawned-cluster.js';

/** The members exist once the tests have begun. */
interface StoreOnCluster {
  readonly cluster: SpawnedCluster;
  readonly store: EventStore;
}

/** The tests of the file share a cluster of three gRPC test servers and a store on it. */
export const useStoreOnCluster = (clock: Clock, randomness: Randomness): StoreOnCluster => {
  let cluster: SpawnedCluster;
  let store: EventStore;
  beforeAll(async () => {
    cluster = await SpawnedCluster.start();
    store = await openEventStoreDb({ connectionString: cluster.connectionString, clock, randomness });
  }, 60_000);
  afterAll(async () => {
    await store.close();
    await cluster[Symbol.asyncDispose]();
  });
  return {
    get cluster() {
      return cluster;
    },
    get store() {
      return store;
    },
  };
};
