import { createHash } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The settings by which the environment of a run names engines that run already. */
const ENGINES = ['ESDB_URL', 'KAFKA_BROKERS', 'REDIS_URL', 'POSTGRES_URL'] as const;

export type Engine = (typeof ENGINES)[number];

type Environment = Readonly<Record<string, string | undefined>>;

/** Whether the environment says how to end and start the event store that it names. A drill that kills its store starts its own otherwise. */
export const givenStoreCanBeKilled = Boolean(process.env['ESDB_STOP'] && process.env['ESDB_START']);

/** The environment of a file that starts its own of these engines: it uses only the others of those that are given. */
export const withoutEngines = (own: readonly Engine[], environment: Environment = process.env): Environment => ({
  ...environment,
  ...Object.fromEntries(own.map((engine) => [engine, undefined])),
});

/** For a process that uses no engine that is given. */
export const NO_GIVEN_ENGINES: Readonly<Record<string, string>> = { ...Object.fromEntries(ENGINES.map((engine) => [engine, ''])), KEY_DIR: '' };

/** Of each server one directory of keys, over all files and runs: a service refuses streams whose events were made with keys that it does not have. */
const keysOf = (url: string): string => join(tmpdir(), `countersign-keys-${createHash('sha256').update(url).digest('hex').slice(0, 16)}`);

/** With ESDB_URL all processes use that server, and its keys: each must be able to open values that another has sealed. */
export const givenEventStore = ({ ESDB_URL }: Environment = process.env): Record<string, string> =>
  ESDB_URL ? { ESDB_URL, KEY_DIR: keysOf(ESDB_URL) } : {};
