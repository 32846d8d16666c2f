import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';

import { AuthenticatedEventStore, type EventStore, type NewEvent } from '#engines/event-store';
import { SystemClock } from '#kernel';
import { macsOfDataDirectory, openDataDirectory } from '#testkit/platform/open-data-directory';

import { NO_STREAM, type ProposedEvent } from '#testkit/event-store/eventstoredb/grpc-test-server/log-entries';
import { Log } from '#testkit/event-store/eventstoredb/grpc-test-server/log';

const TEST_SERVER = resolve('dist/testkit/event-store/eventstoredb/grpc-test-server.js');

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

/** The file of a data directory. */
export const sqliteStore = (directory: string): BenchStore => ({
  name: 'SQLite',
  serve: async () => ({}),
  rest: async () => {},
  fill: async (generate) => {
    const events = await openDataDirectory(directory, new SystemClock());
    await generate(events);
    await events.close();
  },
});

/** The gRPC test server with its files below the data directory. They are filled while it does not run: a million events over gRPC take many minutes. */
export const grpcStore = (directory: string): BenchStore => {
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
      const macs = await macsOfDataDirectory(directory, new SystemClock());
      await generate(new AuthenticatedEventStore(appendingTo(log) as EventStore, { macs, shortened: () => undefined, refused: () => undefined }));
      log.close();
    },
  };
};

const appendingTo = (log: Log): Pick<EventStore, 'append'> => {
  const proposed = ({ type, data, metadata }: NewEvent, id: string): ProposedEvent => ({
    id,
    type,
    isJson: true,
    data: Buffer.from(JSON.stringify(data)),
    customMetadata: Buffer.from(JSON.stringify(metadata)),
  });
  return {
    append: (stream, _expected, given, { ids = [] } = {}) => {
      const events = given.map((event, index) => proposed(event, ids[index]!));
      return new Promise((resolve, reject) =>
        log.append(stream, NO_STREAM, events, (outcome) => {
          if (outcome.result === 'success') resolve({ revision: Number(outcome.revision), ids });
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
