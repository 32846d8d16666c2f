export { SpawnedTestServer } from '../eventstoredb/testing/spawned-test-server.js';
