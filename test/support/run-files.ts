import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

import { SecretSearch } from './secret-search.js';
import { runDirectory } from './run-directory.js';
import { allSecrets } from './secrets.js';
import { copyStoredEvents } from './stored-events.js';

const KEEPS_SECRETS = /\/(keys\/|admin-token$)/;
const DATABASE = /\.(sqlite3?|db)(-wal|-shm|-journal)?$/;
/** Kafka calls its segments so. */
const SEGMENT = /\/broker-\d+\.log\//;
/** Files of Kafka that hold offsets and times only, ten megabytes each. */
const NUMBERS_ONLY = /\/broker-\d+\.log\/.*\.(time)?index$/;

export interface RunFiles {
  /** The whole output of every process. */
  readonly logs: readonly string[];
  readonly databases: readonly string[];
  /** All other files of a DATA_DIR, and those of Kafka and Redis, but for the files that exist to hold secrets. */
  readonly others: readonly string[];
}

/** The files of all processes that this run started. */
export const runFiles = (): RunFiles => {
  const files = readdirSync(runDirectory(), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  return {
    logs: files.filter((path) => path.endsWith('.log') && !SEGMENT.test(path)),
    databases: files.filter((path) => DATABASE.test(path)),
    others: files.filter((path) => path.includes('.data/') && !DATABASE.test(path) && !KEEPS_SECRETS.test(path) && !NUMBERS_ONLY.test(path)),
  };
};

/** The run's secrets in these files, a line for each of the first twenty. */
export const secretsIn = (paths: readonly string[]): string[] => {
  const needles = new SecretSearch(allSecrets());
  return paths
    .flatMap((path) =>
      needles.in(readFileSync(path)).map(({ kind, encoding, offset }) => `${kind} (${encoding}) in ${relative(runDirectory(), path)} at ${offset}`),
    )
    .slice(0, 20);
};

/** As {@link secretsIn}, of all databases: those on an event store server too. */
export const secretsInDatabases = async (): Promise<string[]> => {
  await copyStoredEvents();
  return secretsIn(runFiles().databases);
};

/** The lines of the logs with a secret in them; the start-up banner, which is no log line, may show the admin token. */
export const secretLogLines = (): string[] => {
  const { logs } = runFiles();
  const tokens = allSecrets().flatMap(({ kind, value }) => (kind === 'admin token' ? [value] : []));
  const withToken = logs.flatMap((path) => readFileSync(path, 'utf8').split('\n')).filter((line) => tokens.some((token) => line.includes(token)));
  return [...secretsIn(logs).filter((find) => !find.startsWith('admin token')), ...withToken.filter((line) => !/^ +Admin token /.test(line))];
};
