import { DatabaseSync, StatementSync } from 'node:sqlite';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

const MEMBERS = [
  [DatabaseSync.prototype, 'location'],
  [StatementSync.prototype, 'columns'],
] as const;

/** Node 22.13 as far as the file under test looks: these members are gone until the test ends. */
const own = MEMBERS.map(([type, name]) => [type, name, Object.getOwnPropertyDescriptor(type, name)] as const);
beforeAll(async () => {
  for (const [type, name] of own) Reflect.deleteProperty(type, name);
  await import('./older-sqlite.js');
});
afterAll(() => {
  for (const [type, name, descriptor] of own) if (descriptor) Object.defineProperty(type, name, descriptor);
});

/** A later Node gives each database a getter of its own, which comes before this one. */
const isTransaction = (database: DatabaseSync): unknown => Reflect.get(DatabaseSync.prototype, 'isTransaction', database);

describe('node:sqlite of an older Node', () => {
  it('is given each member that it lacks', () => {
    for (const [type, name, descriptor] of own) {
      expect(typeof descriptor?.value).toBe('function');
      const added: unknown = Object.getOwnPropertyDescriptor(type, name)?.value;
      expect(typeof added).toBe('function');
      expect(added).not.toBe(descriptor?.value);
    }
  });

  it('has no place for a database in memory', () => {
    expect(new DatabaseSync(':memory:').location()).toBeNull();
  });

  it('knows whether a transaction is open', () => {
    const database = new DatabaseSync(':memory:');
    database.exec('CREATE TABLE t (a)');
    expect(isTransaction(database)).toBe(false);
    database.exec('BEGIN IMMEDIATE; INSERT INTO t VALUES (1)');
    expect(isTransaction(database)).toBe(true);
    database.exec('ROLLBACK');
    expect(isTransaction(database)).toBe(false);
    expect(database.prepare('SELECT count(*) AS n FROM t').get()).toMatchObject({ n: 0 });
  });

  it.each([
    ['SELECT a FROM t', true],
    ['  select 1', true],
    ['PRAGMA user_version', true],
    ['INSERT INTO t VALUES (1)', false],
    ['INSERT INTO t VALUES (1) RETURNING a', true],
    ['update t set a = 2 returning a', true],
    ['UPDATE t SET a = 3', false],
    ['DELETE FROM t', false],
  ])('knows whether a statement answers rows: %s', (text, answers) => {
    const database = new DatabaseSync(':memory:');
    database.exec('CREATE TABLE t (a)');
    expect(database.prepare(text).columns().length > 0).toBe(answers);
  });
});
