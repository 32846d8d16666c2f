import type { Kysely, Transaction } from 'kysely';
import type { ClientId } from '#kernel';
import { idOf, type RecordedEvent } from '#engines/event-store';
import { insertNew, type Projection } from '#engines/read-model';

import type { Client, ClientTerms, WaitingChange } from '../domain/client.js';
import type { ClientEvent } from '../domain/client.events.js';
import { CLIENTS } from '../streams.js';

export interface ClientTables {
  clients_v3: {
    client_id: ClientId;
    /** Orders the clients by their registration. */
    place: number;
    /** Of the stream's last event applied. */
    revision: number;
    /** JSON of {@link ClientTerms}; null when the client was deleted. */
    terms: string | null;
    /** JSON of the {@link WaitingChange}; null when none waits. */
    waiting: string | null;
  };
}

/** The relying parties. No secret, and nothing personal. */
export const clientsProjection: Projection<ClientTables, ClientEvent> = {
  name: 'clients',
  version: 3,
  tables: ['clients_v3'],
  categories: [CLIENTS.category],
  progress: { category: CLIENTS.category, table: 'clients_v3', id: 'client_id' },

  async create({ schema }: Kysely<ClientTables>) {
    await schema
      .createTable('clients_v3')
      .addColumn('client_id', 'text', (column) => column.primaryKey())
      .addColumn('place', 'bigint', (column) => column.notNull().unique())
      .addColumn('revision', 'bigint', (column) => column.notNull())
      .addColumn('terms', 'text')
      .addColumn('waiting', 'text')
      .execute();
  },

  async apply(transaction, event) {
    const clientId = idOf<ClientId>(event.stream);
    const place = Number(event.position);
    if (event.type === 'ClientRegistered') {
      const { at: _, ...terms } = event.data;
      const row = { client_id: clientId, place, revision: event.revision, terms: JSON.stringify(terms), waiting: null };
      return insertNew(transaction, 'clients_v3', row);
    }
    await advance(transaction, clientId, event);
  },
};

/** Notes the revision and, of a change, the terms after it; unless the event was applied before. */
const advance = async (transaction: Transaction<ClientTables>, clientId: ClientId, event: RecordedEvent<ClientEvent>): Promise<void> => {
  const newer = transaction.updateTable('clients_v3').where('client_id', '=', clientId).where('revision', '<', event.revision);
  if (event.type === 'ClientDeleted') {
    await newer.set({ revision: event.revision, terms: null, waiting: null }).execute();
    return;
  }
  const waiting = waitingAfter(event);
  if (waiting !== undefined) {
    await newer.set({ revision: event.revision, waiting: waiting && JSON.stringify(waiting) }).execute();
    return;
  }
  const change = changeBy(event);
  if (!change) {
    await newer.set({ revision: event.revision }).execute();
    return;
  }
  const row = await transaction.selectFrom('clients_v3').select('terms').where('client_id', '=', clientId).executeTakeFirst();
  if (typeof row?.terms !== 'string') return;
  const terms = { ...termsOf(row.terms), ...change };
  await newer.set({ revision: event.revision, terms: JSON.stringify(terms) }).execute();
};

/** The change that waits after the event, null for none. Undefined when the event says nothing about it. */
const waitingAfter = (event: RecordedEvent<ClientEvent>): WaitingChange | null | undefined => {
  switch (event.type) {
    case 'ClientChangeAsked':
      return event.data;
    case 'ClientChangeAccepted':
    case 'ClientChangeRefused':
    case 'ClientChangeWithdrawn':
      return null;
    default:
      return undefined;
  }
};

type ListedTerms = ClientTerms & Pick<Client, 'enabled'>;

const changeBy = (event: RecordedEvent<ClientEvent>): Partial<ListedTerms> | undefined => {
  if (event.type === 'ClientChanged') return event.data.changes;
  return event.type === 'ClientDisabled' || event.type === 'ClientEnabled' ? { enabled: event.type === 'ClientEnabled' } : undefined;
};

/** A client is enabled until it was disabled. */
export const termsOf = (terms: string): ListedTerms => ({ enabled: true, ...(JSON.parse(terms) as ClientTerms) });
