import { rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

import { isSqliteError } from '#engines/sqlite';

/** Whether the file, which no process uses, is a whole database. Leaves no other file beside it. */
export const isWholeSqliteFile = (path: string): boolean => {
  try {
    const database = new DatabaseSync(path, { readOnly: true });
    try {
      return Object.values(database.prepare('PRAGMA quick_check(1)').get() ?? {})[0] === 'ok';
    } finally {
      database.close();
    }
  } catch (error) {
    if (isSqliteError(error)) return false;
    throw error;
  } finally {
    for (const suffix of ['-wal', '-shm']) rmSync(`${path}${suffix}`, { force: true });
  }
};
