import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { ServiceUnavailable } from '#kernel';

import { openDatabase } from './open-database.js';

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

  const open = (format = FORMAT) => openDatabase(path, format, OWNER);

  it('makes the folder for its user alone, and the tables once', () => {
    const first = open();
    first.exec(`INSERT INTO words VALUES ('a')`);
    first.close();
    const second = open();
    expect(second.prepare('SELECT word FROM words').all()).toEqual([{ word: 'a' }]);
    second.close();
    expect(statSync(join(folder, 'deep')).mode & 0o777).toBe(0o700);
  });

  it('holds the file alone', () => {
    const first = open();
    expect(() => open()).toThrow(new ServiceUnavailable(`${path} is held by another process: one process at a time`));
    first.close();
    open().close();
  });

  it('refuses a file of another version, and lets it go', () => {
    open({ ...FORMAT, version: 1 }).close();
    expect(() => open()).toThrow(`${path} was written by another version of the word list (1)`);
    open({ ...FORMAT, version: 1 }).close();
  });

  it('flushes each commit to the disk, and applies the pragmas of the owner', () => {
    const database = openDatabase(path, { ...FORMAT, pragmas: 'PRAGMA secure_delete = ON;' }, OWNER);
    const pragma = (name: string) => Object.values(database.prepare(`PRAGMA ${name}`).get()!)[0];
    expect([pragma('journal_mode'), pragma('synchronous'), pragma('locking_mode'), pragma('secure_delete')]).toEqual(['wal', 2, 'exclusive', 1]);
    database.close();
  });
});
