import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';

import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  type QueryResult,
  RawNode,
  SelectQueryNode,
  type SqliteDatabase,
  SqliteDialect,
  type SqliteDialectConfig,
  SqliteDriver,
} from 'kysely';
import { LRUCache } from 'lru-cache';

import { DatabaseFiles } from '#engines/sqlite';
import type { Clock } from '#kernel';

import { ReadModelsUnavailable } from '../read-models.js';

/** Statements that stay compiled. Most of a process's queries are the same few dozen, again and again; an insert of several rows has a text for each number of them. */
const STATEMENTS = 200;
/** Changed rows after which the pages of the log are moved into the main file. */
const MOVE_AFTER = 500;
/** Milliseconds that statements may hold the event loop before it turns. */
const LONGEST_HOLD = 1;

/**
 * SQLite that leaves the event loop free. `node:sqlite` answers at once, so a transaction of many statements would hold up every request of the process until its commit: a batch of a projection
 * over large tables took 200 ms. So the event loop turns after the change with which statements have taken a millisecond (ADR 0164), and the flushes of SQLite's checkpoints run on threads (ADR 0160).
 */
export class OwnSqliteDialect extends SqliteDialect {
  readonly #database: () => Promise<SqliteDatabase>;
  readonly #moves: LogMoves;
  readonly #turns: LoopTurns;

  /** The file is opened by the first query. */
  constructor(open: () => DatabaseSync, clock: Pick<Clock, 'monotonic'>) {
    const moves = new LogMoves();
    const database = async (): Promise<SqliteDatabase> => {
      const opened = open();
      moves.begin(new DatabaseFiles(opened));
      return kyselyDatabase(opened);
    };
    super({ database });
    this.#database = database;
    this.#moves = moves;
    this.#turns = new LoopTurns(clock);
  }

  override createDriver(): Driver {
    return new OwnSqliteDriver({ database: this.#database }, this.#moves, this.#turns);
  }

  /** Undefined where changes may be made at once; otherwise resolves when they may. */
  get beforeChange(): Promise<void> | undefined {
    return this.#moves.underWay;
  }
}

class OwnSqliteDriver extends SqliteDriver {
  constructor(
    config: SqliteDialectConfig,
    private readonly moves: LogMoves,
    private readonly turns: LoopTurns,
  ) {
    super(config);
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    return new OwnSqliteConnection(await super.acquireConnection(), this.moves, this.turns);
  }

  override async releaseConnection(): Promise<void> {
    this.moves.moveWhereDue();
  }

  override destroy(): Promise<void> {
    return this.moves.end();
  }
}

/** Moves the log of the read models into their main file when enough has changed. Queries go on meanwhile; changes wait. */
class LogMoves {
  #files: DatabaseFiles | undefined;
  #changes = 0;
  #move: Promise<void> | undefined;

  begin(files: DatabaseFiles): void {
    this.#files = files;
  }

  /** Undefined where changes may be made at once. After a flush that failed it always rejects: what is on disk is unknown then. */
  get underWay(): Promise<void> | undefined {
    return this.#move;
  }

  note(changes: number): void {
    this.#changes += changes;
  }

  /** To be called outside of a transaction. */
  moveWhereDue(): void {
    if (this.#changes < MOVE_AFTER || this.#move || !this.#files) return;
    this.#changes = 0;
    this.#move = this.#moved(this.#files);
    this.#move.catch(() => undefined);
  }

  async end(): Promise<void> {
    await this.#move?.catch(() => undefined);
    await this.#files?.close();
  }

  async #moved(files: DatabaseFiles): Promise<void> {
    try {
      await files.moveLog();
    } catch (error) {
      throw new ReadModelsUnavailable(`the read models cannot flush their file, and have to be started anew: ${String(error)}`);
    }
    this.#move = undefined;
  }
}

/** The turns of the event loop among the statements. A turn after each of them would cost a batch of small changes many times what its statements take while the process is busy. */
class LoopTurns {
  /** Milliseconds that statements have taken since the last turn. */
  #held = 0;

  constructor(private readonly clock: Pick<Clock, 'monotonic'>) {}

  /** Runs a statement and counts its time. SQLite has done it when the call answers; only its promise is settled later. */
  measured<Result>(statement: () => Result): Result {
    const begin = this.clock.monotonic();
    try {
      return statement();
    } finally {
      this.#held += this.clock.monotonic() - begin;
    }
  }

  /** Undefined where the event loop need not turn yet. */
  get due(): Promise<void> | undefined {
    if (this.#held < LONGEST_HOLD) return undefined;
    this.#held = 0;
    return nextTurn();
  }
}

class OwnSqliteConnection implements DatabaseConnection {
  constructor(
    private readonly connection: DatabaseConnection,
    private readonly moves: LogMoves,
    private readonly turns: LoopTurns,
  ) {}

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    if (this.moves.underWay && !SelectQueryNode.is(query.query)) await this.moves.underWay;
    const result = await this.turns.measured(() => this.connection.executeQuery<Row>(query));
    if (result.numAffectedRows === undefined) return result;
    // For a command such as `begin` SQLite tells the count of the change before it.
    this.moves.note(RawNode.is(query.query) ? 1 : Number(result.numAffectedRows));
    await this.turns.due;
    return result;
  }

  streamQuery<Row>(query: CompiledQuery, chunkSize: number): AsyncIterableIterator<QueryResult<Row>> {
    return this.connection.streamQuery<Row>(query, chunkSize);
  }
}

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
