import { type Kysely, sql, type Transaction } from 'kysely';

import type { ClientId, EndpointId } from '#kernel';
import { idOf, type RecordedEvent } from '#engines/event-store';
import { insertNew, type Projection } from '#engines/read-model';

import { type Delivery, evolveDelivery } from '../domain/delivery.js';
import type { AttemptError, DeliveryEvent } from '../domain/delivery.events.js';
import { LOG_RETENTION } from '../domain/retention.js';
import { DELIVERY_LOGS } from '../streams.js';

export interface DeliveryRow {
  delivery_id: string;
  endpoint_id: EndpointId;
  client_id: ClientId;
  /** Orders the deliveries to one endpoint by their addition. Below zero if the addition has expired and only a retry tells of it. */
  place: number;
  /** Of the last event of the endpoint's stream that changed the delivery. */
  revision: number;
  /** JSON of the message. It names a session and nothing personal. */
  message: string;
  state: Delivery['state'];
  attempts: number;
  tries: number;
  next_at: number;
  changed_at: number;
}

export interface DeliveryTables {
  deliveries_v1: DeliveryRow;
  delivery_attempts_v1: {
    endpoint_id: EndpointId;
    delivery_id: string;
    attempt: number;
    at: number;
    status: number | null;
    error: AttemptError | null;
  };
  /** One row for each endpoint that was ever sent to. */
  delivery_logs_v1: { endpoint_id: EndpointId; revision: number; failing_since: number | null };
}

/** Expired deliveries are removed with each so many events of an endpoint, at most so many of any endpoint at once. */
const SWEEP_EACH = 50;
const SWEPT_AT_MOST = 500;

/** Lies before the place of every addition that is known. */
const BEFORE_ALL = 2 ** 52;

/** The deliveries of the last 30 days with their attempts, made from the logs of the endpoints. Nothing secret and nothing personal. */
export const deliveriesProjection: Projection<DeliveryTables, DeliveryEvent> = {
  name: 'deliveries',
  version: 1,
  tables: ['deliveries_v1', 'delivery_attempts_v1', 'delivery_logs_v1'],
  categories: [DELIVERY_LOGS.category],
  progress: { category: DELIVERY_LOGS.category, table: 'delivery_logs_v1', id: 'endpoint_id' },

  async create({ schema }: Kysely<DeliveryTables>) {
    await schema
      .createTable('deliveries_v1')
      .addColumn('delivery_id', 'text', (column) => column.notNull())
      .addColumn('endpoint_id', 'text', (column) => column.notNull())
      .addColumn('client_id', 'text', (column) => column.notNull())
      .addColumn('place', 'bigint', (column) => column.notNull())
      .addColumn('revision', 'bigint', (column) => column.notNull())
      .addColumn('message', 'text', (column) => column.notNull())
      .addColumn('state', 'text', (column) => column.notNull())
      .addColumn('attempts', 'integer', (column) => column.notNull())
      .addColumn('tries', 'integer', (column) => column.notNull())
      .addColumn('next_at', 'bigint', (column) => column.notNull())
      .addColumn('changed_at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('deliveries_v1_key', ['endpoint_id', 'delivery_id'])
      .addUniqueConstraint('deliveries_v1_place', ['endpoint_id', 'place'])
      .execute();
    await schema
      .createTable('delivery_attempts_v1')
      .addColumn('endpoint_id', 'text', (column) => column.notNull())
      .addColumn('delivery_id', 'text', (column) => column.notNull())
      .addColumn('attempt', 'integer', (column) => column.notNull())
      .addColumn('at', 'bigint', (column) => column.notNull())
      .addColumn('status', 'integer')
      .addColumn('error', 'text')
      .addPrimaryKeyConstraint('delivery_attempts_v1_key', ['endpoint_id', 'delivery_id', 'attempt'])
      .execute();
    await schema
      .createTable('delivery_logs_v1')
      .addColumn('endpoint_id', 'text', (column) => column.primaryKey())
      .addColumn('revision', 'bigint', (column) => column.notNull())
      .addColumn('failing_since', 'bigint')
      .execute();
    const pending = sql.ref('state');
    await schema.createIndex('deliveries_v1_pending').on('deliveries_v1').columns(['endpoint_id', 'place']).where(pending, '=', 'pending').execute();
    await schema.createIndex('deliveries_v1_due').on('deliveries_v1').column('next_at').where(pending, '=', 'pending').execute();
    await schema.createIndex('deliveries_v1_changed').on('deliveries_v1').column('changed_at').execute();
  },

  async apply(transaction, event) {
    const endpointId = idOf<EndpointId>(event.stream);
    const applied = await applyTo(transaction, endpointId, event);
    await advance(transaction, endpointId, event, applied);
    if (event.revision % SWEEP_EACH === 0) await sweep(transaction, event.data.at - LOG_RETENTION);
  },
};

/** Whether the event applied: for the first time, and after the events that it builds on. */
const applyTo = async (transaction: Transaction<DeliveryTables>, endpointId: EndpointId, event: RecordedEvent<DeliveryEvent>): Promise<boolean> => {
  const { deliveryId } = event.data;
  const row = await transaction
    .selectFrom('deliveries_v1')
    .selectAll()
    .where('endpoint_id', '=', endpointId)
    .where('delivery_id', '=', deliveryId)
    .executeTakeFirst();
  if (row && row.revision >= event.revision) return false;
  const after = evolveDelivery(row && deliveryOf(row), event);
  if (!after) return false;
  const changed = {
    revision: event.revision,
    state: after.state,
    attempts: after.attempts,
    tries: after.tries,
    next_at: after.nextAt,
    changed_at: after.changedAt,
  };
  if (row)
    await transaction.updateTable('deliveries_v1').set(changed).where('endpoint_id', '=', endpointId).where('delivery_id', '=', deliveryId).execute();
  else {
    const place = event.type === 'DeliveryAdded' ? event.revision : event.revision - BEFORE_ALL;
    const { clientId, message } = after;
    await transaction
      .insertInto('deliveries_v1')
      .values({ delivery_id: deliveryId, endpoint_id: endpointId, client_id: clientId, place, message: JSON.stringify(message), ...changed })
      .execute();
  }
  if (event.type === 'DeliveryAttempted') {
    const { attempt, at, status = null, error = null } = event.data;
    await insertNew(transaction, 'delivery_attempts_v1', { endpoint_id: endpointId, delivery_id: deliveryId, attempt, at, status, error });
  }
  return true;
};

/** Notes the revision and, of an attempt that applied, since when the endpoint fails. */
const advance = async (
  transaction: Transaction<DeliveryTables>,
  endpointId: EndpointId,
  { type, revision, data }: RecordedEvent<DeliveryEvent>,
  applied: boolean,
): Promise<void> => {
  const attempt = applied && type === 'DeliveryAttempted' ? data : undefined;
  const failingSince = attempt && attempt.end !== 'succeeded' ? attempt.at : null;
  await transaction
    .insertInto('delivery_logs_v1')
    .values({ endpoint_id: endpointId, revision, failing_since: failingSince })
    .onConflict((conflict) =>
      conflict
        .column('endpoint_id')
        .doUpdateSet(({ ref, fn }) => ({
          revision: ref('excluded.revision'),
          ...(attempt && {
            failing_since: failingSince === null ? null : fn.coalesce('delivery_logs_v1.failing_since', 'excluded.failing_since'),
          }),
        }))
        .whereRef('delivery_logs_v1.revision', '<', 'excluded.revision'),
    )
    .execute();
};

/** Removes deliveries that have not changed since `before` (epoch milliseconds), as the store removes their events. */
const sweep = async (transaction: Transaction<DeliveryTables>, before: number): Promise<void> => {
  const expired = await transaction
    .selectFrom('deliveries_v1')
    .select(['endpoint_id', 'delivery_id'])
    .where('changed_at', '<', before)
    .where('state', '!=', 'pending')
    .orderBy('changed_at')
    .limit(SWEPT_AT_MOST)
    .execute();
  for (const { endpoint_id, delivery_id } of expired) {
    for (const table of ['deliveries_v1', 'delivery_attempts_v1'] as const)
      await transaction.deleteFrom(table).where('endpoint_id', '=', endpoint_id).where('delivery_id', '=', delivery_id).execute();
  }
};

export const deliveryOf = (row: DeliveryRow): Delivery => ({
  deliveryId: row.delivery_id,
  clientId: row.client_id,
  message: JSON.parse(row.message) as Delivery['message'],
  state: row.state,
  attempts: row.attempts,
  tries: row.tries,
  nextAt: row.next_at,
  changedAt: row.changed_at,
});
