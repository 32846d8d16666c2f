import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { ServiceUnavailable } from '#kernel';

import { DatabaseFiles } from './database-files.js';
import { openDatabase } from './open-database.js';

const owner = { name: 'word list', unavailable: (reason: string) => new ServiceUnavailable(reason) };
const FORMAT = { version: 1, schema: 'CREATE TABLE words (word TEXT)' };

describe('DatabaseFiles', () => {
  let folder: string;
  let path: string;
  let database: DatabaseSync;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'database-files-'));
    path = join(folder, 'words.sqlite');
    database = openDatabase(path, FORMAT, owner);
  });
  afterEach(() => {
    if (database.isOpen) database.close();
    rmSync(folder, { recursive: true });
  });

  const synchronous = (): unknown => database.prepare('PRAGMA synchronous').get()?.['synchronous'];
  const insert = (word: string): void => void database.prepare('INSERT INTO words VALUES (?)').run(word);
  const mainHas = (word: string): boolean => readFileSync(path).includes(word);

  it('takes the flush of each commit from SQLite', async () => {
    expect(synchronous()).toBe(2);
    const files = new DatabaseFiles(database);
    expect(synchronous()).toBe(1);
    insert('a');
    await files.flushLog();
    await files.close();
  });

  it('flushes the log also after it began anew', async () => {
    const files = new DatabaseFiles(database);
    for (const word of ['a', 'b']) {
      insert(word);
      database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
      await files.flushLog();
    }
    await files.close();
  });

  it('moves the pages of the log into the main file, from which the log begins anew', async () => {
    const files = new DatabaseFiles(database);
    insert('moved-word');
    expect(mainHas('moved-word')).toBe(false);
    await files.moveLog();
    expect([mainHas('moved-word'), synchronous()]).toEqual([true, 1]);
    const { size } = statSync(`${path}-wal`);
    for (let time = 0; time < 20; time += 1) {
      insert('again');
      await files.moveLog();
    }
    expect(statSync(`${path}-wal`).size).toBeLessThanOrEqual(size * 2);
    await files.close();
  });

  it('leaves the pages in the log while a query reads, and moves them with the next call', async () => {
    const files = new DatabaseFiles(database);
    for (const word of ['a', 'b', 'late-word']) insert(word);
    const rows = database.prepare('SELECT word FROM words').iterate();
    rows.next();
    await files.moveLog();
    expect([mainHas('late-word'), synchronous()]).toEqual([false, 1]);
    rows.return!();
    await files.moveLog();
    expect(mainHas('late-word')).toBe(true);
    await files.close();
  });

  it('keeps the locks of SQLite until the database is closed, and gives them back then', async () => {
    const files = new DatabaseFiles(database);
    insert('a');
    await files.moveLog();
    expect(() => openDatabase(path, FORMAT, owner)).toThrow(ServiceUnavailable);
    await files.close();
    const next = openDatabase(path, FORMAT, owner);
    expect(next.prepare('SELECT word FROM words').all()).toEqual([{ word: 'a' }]);
    next.close();
  });

  it('has nothing to do for a database in memory', async () => {
    const files = new DatabaseFiles(new DatabaseSync(':memory:'));
    await files.flushLog();
    await files.moveLog();
    await files.close();
  });
});
