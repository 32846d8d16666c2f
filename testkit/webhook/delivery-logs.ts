import { type AppendResult, type EventStore, ForwardingEventStore, NO_STREAM, SqliteEventStore } from '#engines/event-store';
import type { Projections } from '#engines/read-model';
import { projectionsInMemory } from '#testkit/read-model/projections-in-memory';
import { type ClientId, type EndpointId } from '#kernel';
import { FixedClock } from '../kernel/fixed-clock.js';

import type { DeliveryEvent } from '#domain/webhook';
import { type Delivery } from '#domain/webhook';
import { deliveriesProjection } from '#domain/webhook';
import { DeliveryRows } from '#domain/webhook';
import { DeliveryLog, deliveryLogStream } from '#domain/webhook';

export const endpointId = '00000000-0000-4000-8000-0000000000e1' as EndpointId;
export const DAY = 86_400_000;

export let store: SqliteEventStore;
export let clock: FixedClock;
export let projections: Projections;
export let rows: DeliveryRows;

/** Each test of the file gets an empty store and tables over it. */
export const useDeliveryLogs = (): void => {
  beforeEach(() => {
    clock = new FixedClock();
    store = new SqliteEventStore({ path: ':memory:', clock });
    projections = projectionsInMemory(store);
    rows = new DeliveryRows(projections.follow(deliveriesProjection));
  });
  afterEach(async () => {
    await projections.close();
    await store.close();
  });
};

export const open = async (over: EventStore = store): Promise<DeliveryLog> => {
  const log = new DeliveryLog(endpointId, { store: over, clock, rows });
  await log.refresh();
  return log;
};
/** Resolves when the tables hold the log. */
export const tabled = async (): Promise<void> => {
  const [last] = await store.read(deliveryLogStream(endpointId), { direction: 'backwards', limit: 1 });
  if (last) await projections.follow(deliveriesProjection).reaches(deliveryLogStream(endpointId), last.revision);
};
/** The delivery as another process knows it. */
export const known = async (deliveryId: string): Promise<Delivery | undefined> => (await (await open()).find([deliveryId])).get(deliveryId);
export const added = (deliveryId: string, sequence = 1): DeliveryEvent => ({
  type: 'DeliveryAdded',
  data: {
    at: clock.now(),
    deliveryId,
    clientId: 'c' as ClientId,
    message: { type: 'session.scanned', happenedAt: clock.now(), data: { sessionId: 's', sequence } },
  },
});
export const attempted = (deliveryId: string, attempt: number, end?: 'succeeded'): DeliveryEvent => ({
  type: 'DeliveryAttempted',
  data: { at: clock.now(), deliveryId, attempt, status: end ? 204 : 500, ...(end ? { end } : { nextAt: clock.now() + 1 }) },
});

/** Another call goes on between a conflict and its arrival. */
export class ReadingDuringConflict extends ForwardingEventStore {
  during: () => Promise<void> = async () => undefined;

  override async append(...parameters: Parameters<EventStore['append']>): Promise<AppendResult> {
    try {
      return await super.append(...parameters);
    } catch (error) {
      await this.during();
      throw error;
    }
  }
}

export const nothing = { revision: NO_STREAM, failingSince: undefined, deliveries: [] } as const;
