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

/** A store that a process is started over, again and again. */
export interface BenchStore {
  readonly name: string;
  /** Answers the settings by which a process finds the store, beside DATA_DIR. */
  serve(): Promise<Readonly<Record<string, string>>>;
  /** Ends the server of the store, if it has one, until the next `serve`. */
  rest(): Promise<void>;
  /** Lets a generator store events while no process runs. */
  fill(generate: (events: Pick<EventStore, 'append'>) => Promise<unknown>): Promise<void>;
}

/** The generator makes no MACs, so the data directory is marked like one in the middle of an upgrade from a release without MACs. */
export const takesUnsignedEvents = async (directory: string): Promise<void> => {
  await mkdir(join(directory, 'keys'), { recursive: true });
  await writeFile(join(directory, 'keys/events-without-mac.json'), '{"until": "upgrade"}');
};

/** The file of a data directory. */
export const sqliteStore = async (directory: string): Promise<BenchStore> => {
  await takesUnsignedEvents(directory);
  return {
    name: 'SQLite',
    serve: async () => ({}),
    rest: async () => {},
    fill: async (generate) => {
      const events = new SqliteEventStore({
        path: join(directory, 'countersign.sqlite'),
        clock: new SystemClock(),
        randomness: new SystemRandomness(),
      });
      await generate(events);
      await events.close();
    },
  };
};

/** The gRPC test server with its files below the data directory. They are filled while it does not run: a million events over gRPC take many minutes. */
export const grpcStore = async (directory: string): Promise<BenchStore> => {
  await takesUnsignedEvents(directory);
  const folder = join(directory, 'event-store');
  let server: ChildProcess | undefined;
  return {
    name: 'gRPC test server',
    serve: async () => {
      server = spawn(process.execPath, [TEST_SERVER, '--data', folder, '--port', '0', '--read-lag', 'never'], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      return { ESDB_URL: await connectionStringOf(server) };
    },
    rest: async () => {
      if (!server) return;
      const ended = once(server, 'exit');
      server.kill('SIGTERM');
      await ended;
      server = undefined;
    },
    fill: async (generate) => {
      const log = new Log(folder, () => 0);
      await generate(appendingTo(log));
      log.close();
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
