import { setTimeout as wait } from 'node:timers/promises';

import { SystemClock, SystemRandomness } from '#kernel';

import { eventStoreContract } from '../event-store.contract.js';
import { EventStoreDbEventStore } from './eventstoredb-event-store.js';
import { SpawnedTestServer } from './testing/spawned-test-server.js';

const real = process.env['ESDB_URL'];

describe(`EventStoreDbEventStore, against ${real ? 'the server at ESDB_URL' : 'the gRPC test server'}`, () => {
  let connectionString: string;
  let server: SpawnedTestServer | undefined;
  beforeAll(async () => {
    server = real ? undefined : await SpawnedTestServer.start();
    connectionString = real ?? server!.connectionString;
  });
  afterAll(async () => server?.[Symbol.asyncDispose]());

  eventStoreContract({
    open: async () => new EventStoreDbEventStore({ connectionString, clock: new SystemClock(), randomness: new SystemRandomness() }),
    passTime: async (milliseconds) => wait(milliseconds),
  });
});
