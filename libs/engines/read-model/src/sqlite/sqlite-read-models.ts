import type { DatabaseSync, SQLInputValue } from 'node:sqlite';

import type { SqliteDatabase } from 'kysely';
import { LRUCache } from 'lru-cache';

import { isSqliteError, openDatabase } from '#engines/sqlite';

import { ReadModelsUnavailable } from '../read-models.js';
import { SqlReadModels } from '../sql-read-models.js';
import { YieldingDialect } from './yielding-dialect.js';

const OWNER = { name: 'read models', unavailable: (reason: string) => new ReadModelsUnavailable(reason) };

// A power failure may take the last transactions, each with its checkpoint: they are built again from the store.
const FORMAT = { version: 1, schema: '', pragmas: 'PRAGMA synchronous = NORMAL; PRAGMA secure_delete = ON;' };

/** The read models in a SQLite file that this process holds alone. The file is opened, or made, by the first query. */
export const openSqliteReadModels = (path: string): SqlReadModels => {
  const database = async (): Promise<SqliteDatabase> => kyselyDatabase(openDatabase(path, FORMAT, OWNER));
  return new SqlReadModels({ dialect: new YieldingDialect({ database }), isShared: false, isDatabaseError: isSqliteError });
};

/** Statements that stay compiled. Most of a process's queries are the same few dozen, again and again; an insert of several rows has a text for each number of them. */
const STATEMENTS = 200;

/** The database as Kysely sees it. */
const kyselyDatabase = (database: DatabaseSync): SqliteDatabase => {
  const prepared = new LRUCache<string, ReturnType<SqliteDatabase['prepare']>>({ max: STATEMENTS });
  return {
    close: () => database.close(),
    prepare: (text) => {
      const known = prepared.get(text) ?? kyselyStatement(database, text);
      prepared.set(text, known);
      return known;
    },
  };
};

const kyselyStatement = (database: DatabaseSync, text: string): ReturnType<SqliteDatabase['prepare']> => {
  const statement = database.prepare(text);
  const values = (given: readonly unknown[]) => given as SQLInputValue[];
  return {
    reader: statement.columns().length > 0,
    all: (given) => statement.all(...values(given)),
    run: (given) => statement.run(...values(given)),
    // Two walks through the rows of one text may be under way at once, so each has a statement of its own.
    iterate: (given) => database.prepare(text).iterate(...values(given)) as IterableIterator<unknown>,
  };
};
