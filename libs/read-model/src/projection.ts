import type { Kysely, Transaction } from 'kysely';

import type { DomainEvent } from '#kernel';
import type { RecordedEvent } from '#event-store';

/**
 * A read model: tables that are made of events. The names of the tables end with the version (`clients_v1`), so that a new version is built
 * beside the old one, which the processes of the former release go on using.
 */
export interface Projection<Tables = object, Event extends DomainEvent = DomainEvent> {
  readonly name: string;
  /** Grows with every change of the tables or of {@link apply}. */
  readonly version: number;
  readonly tables: readonly (keyof Tables & string)[];
  /** Of the streams whose events it takes. */
  readonly categories: readonly string[];
  /** The rows that tell up to which revision a stream has been applied. Such a row stays for ever and has a column `revision`. */
  readonly progress: { readonly category: string; readonly table: keyof Tables & string; readonly id: string };
  /** Makes the tables. */
  create(database: Kysely<Tables>): Promise<void>;
  /** Applies one event, in order of position. Another time changes nothing. Ignores a type that it does not know. */
  apply(transaction: Transaction<Tables>, event: RecordedEvent<Event>): Promise<void>;
}
