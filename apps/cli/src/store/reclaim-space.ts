import { join } from 'node:path';

import { compactSqliteFile, EventStoreUnavailable, scavengeEventStoreDb, ScavengeFailed, withAccess } from '#engines/event-store';
import { SystemClock } from '#kernel';

import { Refusal, Unavailable, UsageFailure } from '../failures.js';
import { noteSuccess } from './metrics-file.js';
import type { Reclaimed, ReclaimOptions } from './reclaim-options.js';

/** Reclaims the space of erased events: a scavenge of every node of EventStoreDB, or a new SQLite file. Throws a Failure. */
export const reclaimSpace = async (options: ReclaimOptions): Promise<readonly Reclaimed[]> => {
  const clock = new SystemClock();
  const done: Reclaimed[] = [];
  try {
    for await (const reclaimed of options.esdbUrl === undefined
      ? compact(options.dataDirectory)
      : scavenge(withAccess(options.esdbUrl, options.esdbAccess ?? {}), options)) {
      done.push(reclaimed);
      if (options.metricsFile !== undefined) await noteSuccess(options.metricsFile, reclaimed.node, clock.now());
    }
  } catch (error) {
    if (error instanceof ScavengeFailed) throw new Refusal(error.message, { cause: error });
    if (error instanceof TypeError) throw new UsageFailure(`ESDB_URL: ${error.message}`, { cause: error });
    if (error instanceof EventStoreUnavailable) throw new Unavailable(error.message, { cause: error });
    throw error;
  }
  return done;
};

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
