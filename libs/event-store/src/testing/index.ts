export { authenticated, EVENT_RING } from './authenticated.js';
export { LaggingEventStore } from './lagging-event-store.js';
export { LostWrite } from '../eventstoredb/testing/lost-write.js';
export { SpawnedCluster } from '../eventstoredb/testing/spawned-cluster.js';
export { SpawnedTestServer } from '../eventstoredb/testing/spawned-test-server.js';
export { useStoreOnCluster } from '../eventstoredb/testing/store-on-cluster.js';
export { withholdNewest } from './withhold-newest.js';
export { countCalls, type StoreCalls } from './count-calls.js';
export { STORE_ENGINES, type StoreEngine } from './store-engines.js';
