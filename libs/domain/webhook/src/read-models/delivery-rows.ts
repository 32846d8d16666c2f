import { type Kysely, sql } from 'kysely';

import type { ClientId, EndpointId, PageRequest } from '#kernel';
import { type ExpectedRevision, NO_STREAM } from '#engines/event-store';
import type { ReadModel } from '#engines/read-model';

import type { Delivery } from '../domain/delivery.js';
import type { AttemptOutcome } from '../domain/delivery.events.js';
import { deliveryOf, type DeliveryTables } from './deliveries-projection.js';

/** A delivery after the event at this revision. */
export interface DeliveryAt {
  readonly delivery: Delivery;
  readonly revision: number;
}

/** Deliveries to one endpoint. All events of its log up to `revision` are in them. */
export interface DeliveriesAt {
  readonly revision: ExpectedRevision;
  /** Since when no attempt has succeeded, epoch milliseconds. */
  readonly failingSince: number | undefined;
  readonly deliveries: readonly DeliveryAt[];
}

export interface ListedDelivery {
  readonly delivery: Delivery;
  readonly attempts: readonly (AttemptOutcome & { readonly at: number })[];
}

export interface FailingLog {
  readonly endpointId: EndpointId;
  readonly clientId: ClientId;
  /** Since when no attempt has succeeded, epoch milliseconds. */
  readonly failingSince: number;
}

type Database = Kysely<DeliveryTables>;

/** The deliveries in SQL. They follow the logs with a short delay. Every method throws {@link ReadModelsUnavailable}. */
export class DeliveryRows {
  constructor(private readonly model: ReadModel<DeliveryTables>) {}

  /** The pending deliveries to an endpoint, in the order of their addition. */
  pending(endpointId: EndpointId): Promise<DeliveriesAt> {
    return this.#deliveries(endpointId, (database) =>
      database
        .selectFrom('deliveries_v1')
        .selectAll()
        .where('endpoint_id', '=', endpointId)
        .where('state', '=', 'pending')
        .orderBy('place')
        .execute(),
    );
  }

  /** Those of these deliveries that exist. */
  find(endpointId: EndpointId, deliveryIds: readonly string[]): Promise<DeliveriesAt> {
    return this.#deliveries(endpointId, async (database) => {
      if (deliveryIds.length === 0) return [];
      return database.selectFrom('deliveries_v1').selectAll().where('endpoint_id', '=', endpointId).where('delivery_id', 'in', deliveryIds).execute();
    });
  }

  /** The endpoints with a pending delivery, in the order of their ids. */
  async *pendingEndpoints(): AsyncGenerator<EndpointId, void, void> {
    for (let after = ''; ;) {
      const rows = await this.model.read((database) =>
        database
          .selectFrom('deliveries_v1')
          .select('endpoint_id')
          .distinct()
          .where('state', '=', 'pending')
          .where('endpoint_id', '>', after as EndpointId)
          .orderBy('endpoint_id')
          .limit(ENDPOINTS)
          .execute(),
      );
      for (const row of rows) yield row.endpoint_id;
      const last = rows.at(-1);
      if (!last || rows.length < ENDPOINTS) return;
      after = last.endpoint_id;
    }
  }

  /** The endpoints at which the last attempt did not succeed, those first that fail for the longest time. */
  failing(limit: number): Promise<readonly FailingLog[]> {
    return this.model.read(async (database) => {
      const logs = await database
        .selectFrom('delivery_logs_v1')
        .select(['endpoint_id', 'failing_since'])
        .where('failing_since', 'is not', null)
        .orderBy('failing_since')
        .orderBy('endpoint_id')
        .limit(limit)
        .execute();
      const found: FailingLog[] = [];
      for (const { endpoint_id: endpointId, failing_since: since } of logs) {
        const row = await database.selectFrom('deliveries_v1').select('client_id').where('endpoint_id', '=', endpointId).limit(1).executeTakeFirst();
        // An endpoint without a delivery in the last 30 days has no member who waits for one.
        if (row && since !== null) found.push({ endpointId, clientId: row.client_id, failingSince: since });
      }
      return found;
    });
  }

  /** The newest first, without proofs of an address that were not tried, and those that have not changed since `changedSince` (epoch milliseconds). Undefined for an unknown `after`. */
  page(endpointId: EndpointId, { limit, after }: PageRequest<string>, changedSince: number): Promise<readonly ListedDelivery[] | undefined> {
    return this.model.read(async (database) => {
      const of = database.selectFrom('deliveries_v1').where('endpoint_id', '=', endpointId);
      const from = after === undefined ? undefined : await of.select('place').where('delivery_id', '=', after).executeTakeFirst();
      if (after !== undefined && !from) return undefined;
      const isShown = sql<boolean>`(attempts > 0 or message not like ${UNTRIED})`;
      const found = of.selectAll().where(isShown).where('changed_at', '>=', changedSince).orderBy('place', 'desc').limit(limit);
      const rows = await (from ? found.where('place', '<', from.place) : found).execute();
      const attempts = await attemptsOf(
        database,
        endpointId,
        rows.map(({ delivery_id }) => delivery_id),
      );
      return rows.map((row) => ({ delivery: deliveryOf(row), attempts: attempts.get(row.delivery_id) ?? [] }));
    });
  }

  #deliveries(endpointId: EndpointId, query: (database: Database) => Promise<readonly DeliveryTables['deliveries_v1'][]>): Promise<DeliveriesAt> {
    return this.model.read(async (database) => {
      // The revision comes first: the rows are at least as new.
      const log = await database.selectFrom('delivery_logs_v1').selectAll().where('endpoint_id', '=', endpointId).executeTakeFirst();
      const rows = await query(database);
      return {
        revision: log?.revision ?? NO_STREAM,
        failingSince: log?.failing_since ?? undefined,
        deliveries: rows.map((row) => ({ delivery: deliveryOf(row), revision: row.revision })),
      };
    });
  }
}

/** A proof that the service makes by itself, as its message is stored. */
const UNTRIED = '%"proof":{"by":"address"%';

/** Endpoints in one query. */
const ENDPOINTS = 500;

const attemptsOf = async (
  database: Database,
  endpointId: EndpointId,
  deliveryIds: readonly string[],
): Promise<ReadonlyMap<string, ListedDelivery['attempts']>> => {
  if (deliveryIds.length === 0) return new Map();
  const rows = await database
    .selectFrom('delivery_attempts_v1')
    .selectAll()
    .where('endpoint_id', '=', endpointId)
    .where('delivery_id', 'in', deliveryIds)
    .orderBy('attempt')
    .execute();
  const outcomes = Map.groupBy(rows, ({ delivery_id }) => delivery_id);
  return new Map(
    [...outcomes].map(([id, attempts]) => [
      id,
      attempts.map(({ at, status, error }) => ({ at, ...(status !== null && { status }), ...(error !== null && { error }) })),
    ]),
  );
};
