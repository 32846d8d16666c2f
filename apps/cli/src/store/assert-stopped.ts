import { existsSync } from 'node:fs';

import { EventStoreUnavailable, SqliteEventStore } from '#engines/event-store';
import { SystemClock } from '#kernel';

import { Unavailable } from '../failures.js';

/** Throws Unavailable while a process holds the SQLite file at this path. A file that is missing or damaged is held by none. */
export const assertStopped = async (store: string): Promise<void> => {
  if (!existsSync(store)) return;
  try {
    await new SqliteEventStore({ path: store, clock: new SystemClock() }).close();
  } catch (error) {
    if (error instanceof EventStoreUnavailable && error.reason.includes('is held by')) throw new Unavailable(`${error.reason}. Stop the service`);
  }
};
