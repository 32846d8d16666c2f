import { setTimeout as wait } from 'node:timers/promises';

import { SystemClock, SystemRandomness } from '#kernel';

import { eventStoreContract } from '#testkit/event-store/event-store.contract';
import { EventStoreDbEventStore } from './eventstoredb-event-store.js';
import type { EventStoreDbEventStoreOptions } from './eventstoredb-options.js';
import { grantRights } from './grant-rights.js';
import { measured, real } from '#testkit/event-store/eventstoredb/measured-server';
import { SecuredTestServer } from '#testkit/event-store/eventstoredb/secured-test-server';

/** On the gRPC test server by TLS, as a user of the role of the services. */
describe.each(measured)('EventStoreDbEventStore, against $name', ({ started }) => {
  let connection: Pick<EventStoreDbEventStoreOptions, 'connectionString' | 'access'>;
  let server: SecuredTestServer | undefined;
  beforeAll(async () => {
    server = real ? undefined : await SecuredTestServer.start(started);
    connection = real ? { connectionString: real } : server!.byFiles('app');
    const administrator = { username: 'admin', password: 'changeit' };
    if (server) await grantRights({ connectionString: server.connectionString(), credentials: administrator, role: 'services' });
  });
  afterAll(async () => server?.[Symbol.asyncDispose]());

  eventStoreContract({
    open: async () => new EventStoreDbEventStore({ ...connection, clock: new SystemClock(), randomness: new SystemRandomness() }),
    passTime: async (milliseconds) => wait(milliseconds),
  });
});
