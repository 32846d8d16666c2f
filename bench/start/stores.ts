import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';

import { type EventStore, SqliteEventStore } from '#event-store';
import { type EventId, SystemClock, SystemRandomness } from '#kernel';

import { NO_STREAM, type ProposedEvent } from '../../libs/event-store/src/eventstoredb/testing/grpc-test-server/log-entries.js';
import { Log } from '../../libs/event-store/src/eventstoredb/testing/grpc-test-server/log.js';

const TEST_SERVER = resolve('dist/libs/event-store/src/eventstoredb/testing/grpc-test-server.js');

/** A store that a process is started over. */
export interface BenchStore {
  readonly name: string;
  /** For the generator. */
  readonly events: Pick<EventStore, 'append'>;
  /** The generator has stored everything. Answers the settings by which a process finds the store, beside DATA_DIR. */
  filled(): Promise<Readonly<Record<string, string>>>;
  close(): Promise<void>;
}

/** The generator gives its events no MAC, so the data directory says that a release before the MACs has written. */
const takesUnsignedEvents = async (directory: string): Promise<void> => {
  await mkdir(join(directory, 'keys'), { recursive: true });
  await writeFile(join(directory, 'keys/events-without-mac.json'), '{"until": "upgrade"}');
};

/** The file of a data directory. */
export const sqliteStore = async (directory: string): Promise<BenchStore> => {
  await takesUnsignedEvents(directory);
  const events = new SqliteEventStore({ path: join(directory, 'countersign.sqlite'), clock: new SystemClock(), randomness: new SystemRandomness() });
  return {
    name: 'SQLite',
    events,
    filled: async () => {
      await events.close();
      return {};
    },
    close: async () => {},
  };
};

/** The gRPC test server with its files below the data directory. They are filled before it starts: a million events over gRPC take many minutes. */
export const grpcStore = async (directory: string): Promise<BenchStore> => {
  await takesUnsignedEvents(directory);
  const folder = join(directory, 'event-store');
  const log = new Log(folder, () => 0);
  let server: ChildProcess | undefined;
  return {
    name: 'gRPC test server',
    events: appendingTo(log),
    filled: async () => {
      log.close();
      server = spawn(process.execPath, [TEST_SERVER, '--data', folder, '--port', '0', '--read-lag', 'never'], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      return { ESDB_URL: await connectionStringOf(server) };
    },
    close: async () => {
      if (!server) return;
      const ended = once(server, 'exit');
      server.kill('SIGTERM');
      await ended;
    },
  };
};

const appendingTo = (log: Log): Pick<EventStore, 'append'> => {
  const randomness = new SystemRandomness();
  const proposed = ({ type, data, metadata }: { readonly type: string; readonly data: object; readonly metadata?: object }): ProposedEvent => ({
    id: randomness.uuid<string>(),
    type,
    isJson: true,
    data: Buffer.from(JSON.stringify(data)),
    customMetadata: Buffer.from(JSON.stringify(metadata)),
  });
  return {
    append: (stream, _expected, given) => {
      const events = given.map(proposed);
      return new Promise((resolve, reject) =>
        log.append(stream, NO_STREAM, events, (outcome) => {
          if (outcome.result === 'success') resolve({ revision: Number(outcome.revision), ids: events.map(({ id }) => id as EventId) });
          else reject(new Error(outcome.result));
        }),
      );
    },
  };
};

const connectionStringOf = async (server: ChildProcess): Promise<string> => {
  const [line] = (await once(createInterface(server.stdout!), 'line')) as [string];
  return line.slice(line.lastIndexOf(' ') + 1);
};
