import { stat } from 'node:fs/promises';

import type { Clock } from '#kernel';

import { EventStoreUnavailable } from '../event-store.js';
import { compact } from './compact.js';
import { openEventDatabase } from './database.js';

/**
 * Writes the file of a {@link SqliteEventStore} anew, without the events that were erased more than a day ago. Answers its size before and
 * after, in bytes. Throws {@link EventStoreUnavailable} when a process holds the file, or when the disk has no room for a copy.
 */
export const compactSqliteFile = async (path: string, clock: Clock): Promise<{ readonly before: number; readonly after: number }> => {
  const { size: before } = await stat(path);
  const database = openEventDatabase(path);
  try {
    if (!compact(database, clock.now())) throw new EventStoreUnavailable(`${path} was not compacted: is there room for a copy of it?`);
  } finally {
    database.close();
  }
  return { before, after: (await stat(path)).size };
};
