import type { Kysely, Transaction } from 'kysely';
import type { ClientId, EndpointId } from '#kernel';
import { idOf, type RecordedEvent } from '#event-store';
import type { Projection } from '#read-model';

import type { Client, ClientTerms } from '../domain/client.js';
import type { ClientEvent } from '../domain/client.events.js';

export interface ClientTables {
  clients_v1: {
    client_id: ClientId;
    /** Orders the clients by their registration. */
    place: number;
    /** Of the stream's last event applied. */
    revision: number;
    /** JSON of {@link ClientTerms}. */
    terms: string;
  };
  /** Removed endpoints stay: their deliveries may be under way. */
  client_endpoints_v1: { endpoint_id: EndpointId; client_id: ClientId; place: number };
}

/** The relying parties with the ids of their webhook endpoints. No secret, and nothing personal. */
export const clientsProjection: Projection<ClientTables, ClientEvent> = {
  name: 'clients',
  version: 1,
  tables: ['clients_v1', 'client_endpoints_v1'],
  categories: ['client'],
  progress: { category: 'client', table: 'clients_v1', id: 'client_id' },

  async create({ schema }: Kysely<ClientTables>) {
    await schema
      .createTable('clients_v1')
      .addColumn('client_id', 'text', (column) => column.primaryKey())
      .addColumn('place', 'bigint', (column) => column.notNull().unique())
      .addColumn('revision', 'bigint', (column) => column.notNull())
      .addColumn('terms', 'text', (column) => column.notNull())
      .execute();
    await schema
      .createTable('client_endpoints_v1')
      .addColumn('endpoint_id', 'text', (column) => column.primaryKey())
      .addColumn('client_id', 'text', (column) => column.notNull())
      .addColumn('place', 'bigint', (column) => column.notNull().unique())
      .execute();
  },

  async apply(transaction, event) {
    const clientId = idOf<ClientId>(event.stream);
    const place = Number(event.position);
    if (event.type === 'ClientRegistered') {
      const { at: _, ...terms } = event.data;
      await transaction
        .insertInto('clients_v1')
        .values({ client_id: clientId, place, revision: event.revision, terms: JSON.stringify(terms) })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
      return;
    }
    if (event.type === 'WebhookEndpointAdded')
      await transaction
        .insertInto('client_endpoints_v1')
        .values({ endpoint_id: event.data.endpointId, client_id: clientId, place })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    await advance(transaction, clientId, event);
  },
};

/** Notes the revision and, of a change, the terms after it; unless the event was applied before. */
const advance = async (transaction: Transaction<ClientTables>, clientId: ClientId, event: RecordedEvent<ClientEvent>): Promise<void> => {
  const newer = transaction.updateTable('clients_v1').where('client_id', '=', clientId).where('revision', '<', event.revision);
  const change = changeBy(event);
  if (!change) {
    await newer.set({ revision: event.revision }).execute();
    return;
  }
  const row = await transaction.selectFrom('clients_v1').select('terms').where('client_id', '=', clientId).executeTakeFirst();
  if (!row) return;
  const terms = { ...termsOf(row), ...change };
  await newer.set({ revision: event.revision, terms: JSON.stringify(terms) }).execute();
};

type ListedTerms = ClientTerms & Pick<Client, 'enabled'>;

const changeBy = (event: RecordedEvent<ClientEvent>): Partial<ListedTerms> | undefined => {
  if (event.type === 'ClientChanged') return event.data.changes;
  return event.type === 'ClientDisabled' || event.type === 'ClientEnabled' ? { enabled: event.type === 'ClientEnabled' } : undefined;
};

/** A client is enabled until it was disabled. */
export const termsOf = ({ terms }: { readonly terms: string }): ListedTerms => ({ enabled: true, ...(JSON.parse(terms) as ClientTerms) });
