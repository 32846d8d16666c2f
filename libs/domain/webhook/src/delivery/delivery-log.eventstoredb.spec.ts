import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { type EventStore, openEventStoreDb } from '#engines/event-store';
import { SpawnedTestServer } from '#testkit/event-store/eventstoredb/spawned-test-server';
import { type ClientId, type EndpointId, SystemClock, SystemRandomness } from '#kernel';
import type { Projections } from '#engines/read-model';
import { projectionsInMemory } from '#testkit/read-model/projections-in-memory';

import { deliveriesProjection } from '../read-models/deliveries-projection.js';
import { DeliveryRows } from '../read-models/delivery-rows.js';
import { DeliveryLog } from './delivery-log.js';

const randomness = new SystemRandomness();
const clock = new SystemClock();
const DELIVERIES = 20;

describe('the log of an endpoint on a store whose reads lag behind conflicts', () => {
  let server: SpawnedTestServer;
  let stores: readonly EventStore[];
  let projections: readonly Projections[];

  beforeAll(async () => {
    server = await SpawnedTestServer.start('--read-lag', 'always');
    const { connectionString } = server;
    stores = await Promise.all([1, 2].map(() => openEventStoreDb({ connectionString, clock, randomness })));
    projections = stores.map((eventStore) => projectionsInMemory(eventStore));
  });
  afterAll(async () => {
    await Promise.all(projections.map((each) => each.close()));
    await Promise.all(stores.map((store) => store.close()));
    await server[Symbol.asyncDispose]();
  });

  const record = async (log: DeliveryLog, process: number): Promise<void> => {
    for (let number = 0; number < DELIVERIES; number++) {
      const deliveryId = `${process}.${number}`;
      const message = { type: 'session.cancelled', happenedAt: clock.now(), data: { sessionId: deliveryId, sequence: 1 } };
      const recorded = await log.record({ type: 'DeliveryAdded', data: { at: clock.now(), deliveryId, clientId: 'c' as ClientId, message } });
      expect(recorded).toMatchObject({ deliveryId, state: 'pending' });
    }
  };

  it('holds every delivery that two processes recorded, in both of them', async () => {
    const endpointId = randomness.uuid<EndpointId>();
    const logs = stores.map(
      (store, at) => new DeliveryLog(endpointId, { store, clock, rows: new DeliveryRows(projections[at]!.follow(deliveriesProjection)) }),
    );
    await Promise.all(logs.map(record));
    await Promise.all(logs.map((log) => log.refresh()));
    const ids = [0, 1].flatMap((process) => Array.from({ length: DELIVERIES }, (_, number) => `${process}.${number}`));
    for (const log of logs) expect([...log.pending()].map(({ deliveryId }) => deliveryId).toSorted()).toEqual(ids.toSorted());
  });
});
