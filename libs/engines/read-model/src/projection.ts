import type { Kysely, Transaction } from 'kysely';

import type { DomainEvent } from '#kernel';
import type { RecordedEvent } from '#engines/event-store';

/**
 * A read model: tables that are made of events. The names of the tables end with the version (`clients_v2`), so that a new version is built
 * beside the old one, which the processes of the former release go on using.
 */
export interface Projection<Tables = object, Event extends DomainEvent = DomainEvent> {
  readonly name: string;
  /** Grows with every change of the tables or of {@link apply}. */
  readonly version: number;
  readonly tables: readonly (keyof Tables & string)[];
  /**
   * `bus`: a consumer of the bus applies the events, and only tables that are new or empty are filled from the store, up to its present end. The consumer begins before
   * that end; rows are idempotent by stream and revision. Default: the projection follows the store.
   */
  readonly live?: 'bus';
  /** Of the streams whose events it takes. */
  readonly categories: readonly string[];
  /**
   * The rows that tell up to which revision a stream has been applied. Such a row stays for ever and has a column `revision`. Absent where rows
   * go: reads then do not wait for the appends of their own process.
   */
  readonly progress?: { readonly category: string; readonly table: keyof Tables & string; readonly id: string };
  /** Whether the event changes rows. The others cost no transaction. Default: all do. */
  concerns?(event: RecordedEvent): boolean;
  /** Events may wait so many milliseconds, so that more of them share a transaction. Well below a second: reads wait for them. Default: none waits. */
  readonly linger?: number;
  /** Makes the tables. */
  create(database: Kysely<Tables>): Promise<void>;
  /** Applies one event, in order of position. Another time changes nothing. Ignores a type that it does not know. */
  apply(transaction: Transaction<Tables>, event: RecordedEvent<Event>): Promise<void>;
  /**
   * Applies the events of one transaction with fewer statements: on SQLite, building a statement takes ten times as long as running it. Default: each
   * event is applied by itself.
   */
  applyAll?(transaction: Transaction<Tables>, events: readonly RecordedEvent<Event>[]): Promise<void>;
  /** Told when this process has filled the tables with the whole history. */
  completed?(): void;
}

/** The part of a projection that a process needs which lists and rebuilds it, and leaves the writing to others. */
export type ProjectionTables<Tables = object> = Pick<Projection<Tables, never>, 'name' | 'version' | 'tables' | 'progress' | 'create'>;
