import type { Kysely, Transaction } from 'kysely';

import { ServiceUnavailable } from '#kernel';

/** The database of the read models is unavailable, or a read model is being built. */
export class ReadModelsUnavailable extends ServiceUnavailable {}

/**
 * The SQL database of the read models. It can be lost as a whole and is built anew from the event store, so no decision is taken on it.
 * `Tables` names the tables that the work knows; nothing checks that they exist.
 *
 * `read-models.contract.ts` writes out the guarantees of an implementation. Every method throws {@link ReadModelsUnavailable} while
 * the database cannot be reached, after a bounded time.
 */
export abstract class ReadModels {
  /** Whether other processes write to the same database. Otherwise this process holds it alone. */
  abstract readonly isShared: boolean;

  /** Makes or changes the tables of the bookkeeping. May be repeated, also by several processes at once. */
  abstract migrate(): Promise<void>;

  /** Queries outside a transaction. A DomainError of the work passes through. */
  abstract query<Tables, Result>(work: (database: Kysely<Tables>) => Promise<Result>): Promise<Result>;

  /** All of the work's changes or, when it throws, none. A DomainError of the work passes through. */
  abstract transaction<Tables, Result>(work: (transaction: Transaction<Tables>) => Promise<Result>): Promise<Result>;

  abstract close(): Promise<void>;
}
