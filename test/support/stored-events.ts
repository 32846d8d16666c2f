import { closeSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';

import { EventStoreDBClient, START } from '@eventstore/db-client';

import { runDirectory } from './run-directory.js';
import { topology } from './topology.js';

/** The store of events, if it is not in files of the run alone: the server at ESDB_URL, or the topology's. */
const connectionString = (): string | undefined => topology?.settings['ESDB_URL'] ?? process.env['ESDB_URL'];

/**
 * Writes every event of the event store server into a file of the run, as a database among others: its own files are elsewhere, or
 * not to be read. Does nothing if the events are in SQLite files of the run.
 */
export const copyStoredEvents = async (): Promise<number> => {
  const server = connectionString();
  if (server === undefined) return 0;
  const client = EventStoreDBClient.connectionString(server);
  const file = openSync(join(runDirectory(), 'stored-events.db'), 'w');
  let count = 0;
  try {
    for await (const { event } of client.readAll({ fromPosition: START })) {
      if (!event || event.type.startsWith('$')) continue;
      count += 1;
      writeSync(file, `${event.streamId} ${event.type} `);
      for (const part of [event.data, event.metadata])
        writeSync(file, part instanceof Uint8Array ? Buffer.from(part) : Buffer.from(JSON.stringify(part ?? null)));
      writeSync(file, '\n');
    }
  } finally {
    closeSync(file);
    await client.dispose();
  }
  return count;
};
