import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { ServiceUnavailable } from '#kernel';

import { LogFlush } from './log-flush.js';
import { openDatabase } from './open-database.js';

const owner = { name: 'word list', unavailable: (reason: string) => new ServiceUnavailable(reason) };

describe('LogFlush', () => {
  let folder: string;
  let database: DatabaseSync;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'log-flush-'));
    database = openDatabase(join(folder, 'words.sqlite'), { version: 1, schema: 'CREATE TABLE words (word TEXT)' }, owner);
  });
  afterEach(() => {
    if (database.isOpen) database.close();
    rmSync(folder, { recursive: true });
  });

  const synchronous = (): unknown => database.prepare('PRAGMA synchronous').get()?.['synchronous'];

  it('takes the flush of each commit from SQLite, and leaves it those of its checkpoints', async () => {
    expect(synchronous()).toBe(2);
    const flush = new LogFlush(database);
    expect(synchronous()).toBe(1);
    database.exec(`INSERT INTO words VALUES ('a')`);
    await flush.run();
    await flush.close();
  });

  it('flushes the log also after it began anew, and keeps no lock of the database from SQLite', async () => {
    const flush = new LogFlush(database);
    for (const word of ['a', 'b']) {
      database.exec(`INSERT INTO words VALUES ('${word}'); PRAGMA wal_checkpoint(TRUNCATE)`);
      await flush.run();
    }
    await flush.close();
    expect(() => openDatabase(join(folder, 'words.sqlite'), { version: 1, schema: '' }, owner)).toThrow(ServiceUnavailable);
  });

  it('has nothing to do for a database in memory', async () => {
    const flush = new LogFlush(new DatabaseSync(':memory:'));
    await flush.run();
    await flush.close();
  });
});
