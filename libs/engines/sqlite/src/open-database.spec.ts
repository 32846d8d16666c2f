import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { ServiceUnavailable } from '#kernel';

import { type DatabaseFormat, openDatabase } from './open-database.js';

const FORMAT = { version: 2, schema: 'CREATE TABLE words (word TEXT) STRICT' };
const OWNER = { name: 'word list', unavailable: (reason: string) => new ServiceUnavailable(reason) };

describe('opening a database', () => {
  let folder: string;
  let path: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'sqlite-'));
    path = join(folder, 'deep', 'words.db');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const open = (format: DatabaseFormat = FORMAT) => openDatabase(path, format, OWNER);

  it('makes the folder for its user alone, and the tables once', () => {
    const first = open();
    first.exec(`INSERT INTO words VALUES ('a')`);
    first.close();
    const second = open();
    expect(second.prepare('SELECT word FROM words').all()).toEqual([{ word: 'a' }]);
    second.close();
    expect(statSync(join(folder, 'deep')).mode & 0o777).toBe(0o700);
  });

  it('keeps the journals of its statements in memory, so that no temporary file holds rows', () => {
    const database = open();
    expect(database.prepare('PRAGMA temp_store').get()).toEqual({ temp_store: 2 });
    database.close();
  });

  it('holds the file alone', () => {
    const first = open();
    expect(() => open()).toThrow(new ServiceUnavailable(`${path} is held by another process: one process at a time`));
    first.close();
    open().close();
  });

  it('refuses a file of another version, and closes it', () => {
    open({ ...FORMAT, version: 1 }).close();
    expect(() => open()).toThrow(`${path} was written by another version of the word list (1)`);
    open({ ...FORMAT, version: 1 }).close();
  });

  it('refuses a file of a newer version', () => {
    open({ ...FORMAT, version: 4 }).close();
    expect(() => open({ ...FORMAT, version: 3 })).toThrow('written by another version of the word list (4)');
  });

  it('leaves no tables behind when the schema cannot be made', () => {
    expect(() => open({ ...FORMAT, schema: `${FORMAT.schema}; UPDATE sentences SET word = 1` })).toThrow('no such table');
    open().close();
  });

  it('flushes each commit to the disk, and applies the pragmas of the owner', () => {
    const database = openDatabase(path, { ...FORMAT, pragmas: 'PRAGMA secure_delete = ON;' }, OWNER);
    const pragma = (name: string) => Object.values(database.prepare(`PRAGMA ${name}`).get()!)[0];
    expect([pragma('journal_mode'), pragma('synchronous'), pragma('locking_mode'), pragma('secure_delete')]).toEqual(['wal', 2, 'exclusive', 1]);
    database.close();
  });
});
