import type { ServerResponse } from 'node:http';

import { jest } from '@jest/globals';

import type { EndpointId } from '#kernel';
import { eventually } from '#testkit/kernel/eventually';
import { GATE_LIMITS, queueOfPartition, WEBHOOK_QUEUE } from '#domain/webhook';

import { PARTITIONS, replicasFixture } from './replicas.fixture.js';

const ENDPOINTS = 8;
const EVENTS = 4;
const PATIENT = { within: 60_000 };

jest.setTimeout(120_000);

let rig: Awaited<ReturnType<typeof replicasFixture>>;
beforeEach(async () => {
  rig = await replicasFixture();
});
afterEach(() => rig.close());

const idsReceived = (): readonly unknown[] => rig.receiver.received.map(({ headers }) => headers['webhook-id']);

/** The events come to the replicas in turns, all at once. */
const happen = (count: number): Promise<unknown> => {
  const events = Array.from({ length: count }, () => rig.event());
  return Promise.all(events.map((event, index) => rig.replicas[index % rig.replicas.length]!.dispatch.fanOut.execute(event)));
};

/** No delivery is pending any more. */
const settle = async (endpoints: readonly EndpointId[], count: number): Promise<void> => {
  for (const endpointId of endpoints)
    await eventually(async () => {
      const { entries } = await rig.administration.listDeliveries.execute(rig.clientId, endpointId, { limit: 100 });
      return entries.filter(({ state }) => state === 'succeeded').length === count;
    }, PATIENT);
};

describe.each([1, 2, 8])('%i dispatchers', (count) => {
  it('lose no append while their shares stand; a delivery costs the same appends, reads, records and jobs as with one', async () => {
    rig.start(count);
    const endpoints = await Promise.all(Array.from({ length: ENDPOINTS }, () => rig.endpoint()));
    rig.share();
    await happen(EVENTS);
    await settle(endpoints, EVENTS);
    const deliveries = ENDPOINTS * EVENTS;
    expect(new Set(idsReceived()).size).toBe(deliveries);
    expect(idsReceived()).toHaveLength(deliveries);
    expect(rig.store.conflicts).toBe(0);
    // Each delivery has an append for its addition and one for its outcome, fewer where deliveries share one. Each append reads once what memory lacks.
    expect(rig.store.appends).toBeLessThanOrEqual(2 * deliveries);
    expect(rig.reads).toBeLessThanOrEqual(2 * deliveries + 2 * ENDPOINTS);
    // One record for each delivery, in one call for each event; one job for each, and no other call of the queue.
    expect({ sends: rig.topic.sends, records: rig.topic.records }).toEqual({ sends: EVENTS, records: deliveries });
    expect(Object.fromEntries(rig.queueCalls)).toEqual({ schedule: deliveries });
  });
});

describe('two dispatchers', () => {
  it('lose appends where both take requests of one endpoint: the count above can fail', async () => {
    rig.start(2);
    const endpointId = await rig.endpoint();
    rig.share();
    for (let turn = 0; turn < 5; turn += 1)
      await Promise.all(rig.replicas.map(({ dispatch }) => dispatch.takeDeliveryRequest.execute(rig.request(endpointId))));
    expect(rig.store.conflicts).toBeGreaterThan(0);
  });

  it('keep the limit of an endpoint while its partition moves: the attempts of the former owner end first, and each message is sent once', async () => {
    rig.start(2);
    const endpointId = await rig.endpoint();
    const all = Array.from({ length: PARTITIONS }, (_, partition) => partition);
    const open: ServerResponse[] = [];
    let most = 0;
    rig.receiver.behaviour = (response) => {
      open.push(response);
      most = Math.max(most, open.length);
    };
    rig.assign([all, []]);
    await happen(2 * GATE_LIMITS.inFlight);
    await eventually(() => open.length === GATE_LIMITS.inFlight, PATIENT);
    const queue = queueOfPartition(rig.topic.partitionOf(endpointId, PARTITIONS));
    const counts = jest.spyOn(rig.jobQueue, 'counts');
    rig.assign([[], all]);
    await eventually(() => counts.mock.calls.filter(([name]) => name === queue).length >= 2, PATIENT);
    expect(open).toHaveLength(GATE_LIMITS.inFlight);
    rig.receiver.behaviour = (response) => {
      most = Math.max(most, open.filter((one) => !one.writableEnded).length + 1);
      response.writeHead(204).end();
    };
    for (const response of open) response.writeHead(204).end();
    // The clock of the jobs stands still, so the test advances it for the jobs that run again later.
    await eventually(async () => {
      rig.clock.advance(1_000);
      return new Set(idsReceived()).size === 2 * GATE_LIMITS.inFlight;
    }, PATIENT);
    await settle([endpointId], 2 * GATE_LIMITS.inFlight);
    expect(idsReceived()).toHaveLength(2 * GATE_LIMITS.inFlight);
    expect(most).toBeLessThanOrEqual(GATE_LIMITS.inFlight);
  });
});

describe('an attempt in the queue of all endpoints, from before there were partitions,', () => {
  it('moves to the queue of its endpoint and is made once, also if it is there already', async () => {
    rig.start(2);
    const endpoints = await Promise.all(Array.from({ length: ENDPOINTS }, () => rig.endpoint()));
    const elsewhere = endpoints.filter((endpointId) => rig.topic.partitionOf(endpointId, PARTITIONS) !== 0);
    // The owner records the deliveries while no worker runs yet.
    const all = Array.from({ length: PARTITIONS }, (_, partition) => partition);
    const [one] = rig.replicas;
    one!.dispatch.assigned({ partitions: PARTITIONS, owned: all });
    for (const partition of all) rig.topic.owners.set(partition, one!);
    await happen(1);
    const ids = new Map<EndpointId, string>();
    for (const endpointId of elsewhere) {
      await eventually(async () => {
        const { entries } = await rig.administration.listDeliveries.execute(rig.clientId, endpointId, { limit: 1 });
        if (entries[0]) ids.set(endpointId, entries[0].deliveryId);
        return entries.length === 1;
      }, PATIENT);
    }
    for (const [index, [endpointId, deliveryId]] of [...ids].entries()) {
      const id = `${deliveryId}.1`;
      const payload = { version: 1, clientId: rig.clientId, endpointId, deliveryId, attempt: 1 };
      await rig.jobQueue.schedule(WEBHOOK_QUEUE, { id, at: rig.clock.now(), payload });
      if (index % 2 === 0) await rig.jobQueue.cancel(queueOfPartition(rig.topic.partitionOf(endpointId, PARTITIONS)), id);
    }
    rig.share();
    await settle(endpoints, 1);
    expect(idsReceived()).toHaveLength(ENDPOINTS);
    expect(new Set(idsReceived()).size).toBe(ENDPOINTS);
    expect(await rig.jobQueue.counts(WEBHOOK_QUEUE)).toEqual({ scheduled: 0, due: 0, running: 0, failed: 0 });
  });
});
