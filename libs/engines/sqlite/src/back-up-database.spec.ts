import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { ServiceUnavailable } from '#kernel';

import { backUpDatabase } from './back-up-database.js';
import { DatabaseFiles } from './database-files.js';
import { GroupCommit } from './group-commit.js';
import { openDatabase } from './open-database.js';

const OWNER = { name: 'word list', unavailable: (reason: string) => new ServiceUnavailable(reason) };
const WORD = 'x'.repeat(4_000);

let folder: string;
let database: DatabaseSync;
let group: GroupCommit;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'back-up-'));
  database = openDatabase(
    join(folder, 'words'),
    { version: 1, schema: 'CREATE TABLE words (number INTEGER, half INTEGER, word TEXT) STRICT' },
    OWNER,
  );
  group = new GroupCommit(database, OWNER, () => undefined, new DatabaseFiles(database));
});
afterEach(async () => {
  await group.close();
  database.close();
  rmSync(folder, { recursive: true });
});

/** Two rows of one transaction. */
const write = (number: number): Promise<void> =>
  group.run(() => {
    for (const half of [1, 2]) database.prepare('INSERT INTO words VALUES (?, ?, ?)').run(number, half, WORD);
  });
const copied = (path: string): ReadonlyMap<number, number> => {
  const copy = new DatabaseSync(path);
  try {
    expect(copy.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' });
    const rows = copy.prepare('SELECT number, count(*) AS halves FROM words GROUP BY number').all();
    return new Map(rows.map(({ number, halves }) => [Number(number), Number(halves)]));
  } finally {
    copy.close();
  }
};

describe('a copy of a database', () => {
  it.each([3, 600])('of %d transactions has all of them, and none in half, while others go on', async (count) => {
    for (let number = 0; number < count; number++) await write(number);
    const path = join(folder, 'copy');
    let ended = false;
    const copying = backUpDatabase(database, path, group).finally(() => (ended = true));
    let next = count;
    do await write(next++);
    while (!ended);
    await copying;
    const rows = copied(path);
    for (let number = 0; number < count; number++) expect(rows.get(number)).toBe(2);
    expect([...rows.values()].every((halves) => halves === 2)).toBe(true);
    await write(next);
    expect(database.prepare('SELECT count(*) AS count FROM words').get()).toEqual({ count: 2 * (next + 1) });
  });

  it('begins before the next transaction, since its first step fails within one', async () => {
    for (let number = 0; number < 600; number++) await write(number);
    const path = join(folder, 'copy');
    const copying = backUpDatabase(database, path, group);
    const insert = database.prepare('INSERT INTO words VALUES (?, ?, ?)');
    const writing = group.run(() => {
      for (let row = 0; row < 50_000; row++) insert.run(600 + row, 1, '');
    });
    await expect(copying).resolves.toBeUndefined();
    await writing;
    expect(copied(path).get(599)).toBe(2);
  });

  it('that cannot be written is refused, and transactions go on', async () => {
    await expect(backUpDatabase(database, join(folder, 'none', 'copy'), group)).rejects.toThrow('unable to open database file');
    await write(1);
    expect(database.prepare('SELECT count(*) AS count FROM words').get()).toEqual({ count: 2 });
  });
});
