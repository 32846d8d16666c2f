import { join } from 'node:path';

import { compactSqliteFile, scavengeEventStoreDb, ScavengeFailed, withAccess } from '#engines/event-store';
import { SystemClock } from '#kernel';

import { Refusal, UsageFailure } from '../failures.js';
import { noteSuccess } from './metrics-file.js';
import { onStore, type StoreOptions } from './on-store.js';

export interface ReclaimOptions extends StoreOptions {
  /** Of a user of EventStoreDB in `$ops` or `$admins`. */
  readonly credentials?: { readonly username: string; readonly password: string };
  readonly metricsFile?: string;
  /** Milliseconds between two checks of a scavenge. */
  readonly pollEvery: number;
  readonly note: (text: string) => void;
}

export interface Reclaimed {
  readonly node: string;
  readonly details: string;
}

/** Reclaims the space of erased events: a scavenge of every node of EventStoreDB, or a new SQLite file. Throws a Failure. */
export const reclaimSpace = (options: ReclaimOptions): Promise<readonly Reclaimed[]> =>
  onStore(async () => {
    const { esdbUrl, esdbAccess = {}, dataDirectory, metricsFile } = options;
    const clock = new SystemClock();
    const done: Reclaimed[] = [];
    for await (const reclaimed of esdbUrl === undefined ? compact(dataDirectory) : scavenge(withAccess(esdbUrl, esdbAccess), options)) {
      done.push(reclaimed);
      if (metricsFile !== undefined) await noteSuccess(metricsFile, reclaimed.node, clock.now());
    }
    return done;
  }).catch((error: unknown) => {
    throw error instanceof ScavengeFailed ? new Refusal(error.message, { cause: error }) : error;
  });

const scavenge = async function* (connectionString: string, { credentials, pollEvery, note }: ReclaimOptions): AsyncGenerator<Reclaimed> {
  const onStart = (node: string) => note(`Scavenging ${node} …`);
  for await (const { node, leads, scavengeId } of scavengeEventStoreDb({
    connectionString,
    pollEvery,
    onStart,
    ...(credentials && { credentials }),
  }))
    yield { node, details: `${leads ? 'leader' : 'follower'}, scavenge ${scavengeId}` };
};

const compact = async function* (dataDirectory: string): AsyncGenerator<Reclaimed> {
  const path = join(dataDirectory, 'countersign.sqlite');
  const { before, after } = await compactSqliteFile(path, new SystemClock()).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw new UsageFailure(`there is no ${path}; set DATA_DIR, or ESDB_URL for EventStoreDB`);
    throw error;
  });
  yield { node: 'sqlite', details: `${before} bytes before, ${after} after` };
};
