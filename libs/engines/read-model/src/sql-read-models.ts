import { type Dialect, Kysely, type Transaction } from 'kysely';
import { Migrator } from 'kysely/migration';

import { DomainError } from '#kernel';
import type { EngineCalls } from '#telemetry';

import { migrations } from './migrations.js';
import { ReadModels, ReadModelsUnavailable } from './read-models.js';

/** The differences between the databases. */
export interface SqlEngine {
  readonly dialect: Dialect;
  readonly isShared: boolean;
  /** Whether the error is the database's and not a fault of ours. */
  isDatabaseError(error: unknown): boolean;
  /** Why the database refuses this service, with the setting to look at; undefined for any other error. */
  explain?(error: unknown): string | undefined;
  /** Awaited before a transaction takes the connection, so that no query waits behind a transaction that may not begin yet. */
  beforeTransaction?(): Promise<void> | undefined;
  /** Measures queries and transactions. */
  readonly calls?: EngineCalls | undefined;
  /** Called after the last query. */
  close?(): Promise<void>;
}

/** The read models over any database that Kysely knows. */
export class SqlReadModels extends ReadModels {
  readonly isShared: boolean;
  readonly #database: Kysely<unknown>;
  #closed = false;

  constructor(private readonly engine: SqlEngine) {
    super();
    this.isShared = engine.isShared;
    this.#database = new Kysely({ dialect: engine.dialect });
  }

  override migrate(): Promise<void> {
    return this.#run(async () => {
      const migrator = new Migrator({ db: this.#database, provider: { getMigrations: async () => migrations } });
      const { error } = await migrator.migrateToLatest();
      if (error !== undefined) throw error as Error;
    });
  }

  override query<Tables, Result>(work: (database: Kysely<Tables>) => Promise<Result>): Promise<Result> {
    return this.#measured('query', () => work(withTables<Tables>(this.#database)));
  }

  override transaction<Tables, Result>(work: (transaction: Transaction<Tables>) => Promise<Result>): Promise<Result> {
    return this.#measured('transaction', async () => {
      await this.engine.beforeTransaction?.();
      return this.#database.transaction().execute((transaction) => work(withTables<Tables>(transaction)));
    });
  }

  override async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await this.#database.destroy();
    await this.engine.close?.();
  }

  #measured<Result>(call: 'query' | 'transaction', work: () => Promise<Result>): Promise<Result> {
    const { calls } = this.engine;
    return calls ? calls.measure(call, () => this.#run(work), isUnavailable) : this.#run(work);
  }

  async #run<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#closed) throw new ReadModelsUnavailable('the read models are closed');
    try {
      return await work();
    } catch (error) {
      if (error instanceof DomainError) throw error;
      const refusal = this.engine.explain?.(error);
      if (refusal === undefined && !this.engine.isDatabaseError(error)) throw error;
      throw new ReadModelsUnavailable(`the database of the read models: ${refusal ?? String(error)}`);
    }
  }
}

/** Whether the database was unavailable. Every other error comes from the work: the database has answered. */
const isUnavailable = (error: unknown): boolean => error instanceof ReadModelsUnavailable;

/** The caller says which tables it means; {@link SqlReadModels} knows none. */
const withTables = <Tables>(database: unknown): Transaction<Tables> => database as Transaction<Tables>;
