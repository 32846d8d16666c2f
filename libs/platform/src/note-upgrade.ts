import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { lastPositionOfEventStoreDb, type Position, SqliteEventStore } from '#event-store';
import { SystemClock } from '#kernel';

import { notesAnEnd, unsignedEventsFile, unsignedEventsUntil } from './unsigned-events.js';

export interface UpgradeOptions {
  /** EventStoreDB, when it is set; otherwise the SQLite file in `dataDirectory`. */
  readonly esdbUrl?: string;
  readonly dataDirectory: string;
  readonly keyDirectory: string;
}

/** The end of an upgrade was noted before. A second, later note would accept all events that any writer appended in between. */
export class UpgradeNoted extends Error {}

/**
 * Notes the present end of the store in `KEY_DIR`: events without a MAC are taken up to there, and none that is appended from now on. To be called when every
 * service makes MACs. Throws {@link UpgradeNoted}, EventStoreUnavailable, and a TypeError for a connection string that is none.
 */
export const noteUpgrade = async (options: UpgradeOptions): Promise<{ readonly file: string; readonly until: Position }> => {
  const file = unsignedEventsFile(options);
  const former = await readFile(file, 'utf8').catch(() => '');
  if (notesAnEnd(former)) throw new UpgradeNoted(`${file} notes the end of an upgrade already`);
  const until = options.esdbUrl === undefined ? await endOfFile(options.dataDirectory) : await lastPositionOfEventStoreDb(options.esdbUrl);
  const draft = `${file}.${process.pid}.new`;
  await writeFile(draft, unsignedEventsUntil(until), { mode: 0o600 });
  await rename(draft, file);
  return { file, until };
};

const endOfFile = async (dataDirectory: string): Promise<Position> => {
  const store = new SqliteEventStore({ path: join(dataDirectory, 'countersign.sqlite'), clock: new SystemClock() });
  const end = store.lastPosition;
  await store.close();
  return end;
};
