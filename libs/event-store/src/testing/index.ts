export { LaggingEventStore } from './lagging-event-store.js';
export { SpawnedCluster } from '../eventstoredb/testing/spawned-cluster.js';
export { SpawnedTestServer } from '../eventstoredb/testing/spawned-test-server.js';
export { withholdNewest } from './withhold-newest.js';
