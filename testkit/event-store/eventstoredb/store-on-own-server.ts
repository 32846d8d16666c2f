import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { SystemClock, SystemRandomness } from '#kernel';

import type { EventStore } from '#engines/event-store';
import { ForwardingEventStore } from '#engines/event-store';
import { EventStoreDbEventStore } from '#engines/event-store';
import type { Dialect } from './grpc-test-server/dialect.js';
import { GrpcTestServer } from './grpc-test-server/test-server.js';

/** A store on a gRPC test server that runs in this process and ends with the store. A new one takes some milliseconds; a process of its own takes a second. */
class StoreOnOwnServer extends ForwardingEventStore {
  constructor(
    private readonly server: GrpcTestServer,
    private readonly folder: string,
  ) {
    const { connectionString } = server;
    super(new EventStoreDbEventStore({ connectionString, clock: new SystemClock(), randomness: new SystemRandomness() }));
  }

  override async close(): Promise<void> {
    await super.close();
    this.server.stop();
    await rm(this.folder, { recursive: true, force: true });
  }
}

export const storeOnOwnServer = async (dialect: Dialect): Promise<EventStore> => {
  const folder = await mkdtemp(join(tmpdir(), 'grpc-test-server-'));
  return new StoreOnOwnServer(await GrpcTestServer.start({ folder, dialect }), folder);
};
