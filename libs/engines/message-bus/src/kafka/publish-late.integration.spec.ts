import { afterEach, describe, expect, it } from '@jest/globals';

import { SqliteEventStore } from '#engines/event-store';
import { SystemClock, SystemRandomness } from '#kernel';
import { FixedClock } from '#testkit/kernel/fixed-clock';
import { eventually } from '#testkit/kernel/eventually';
import { Metrics, SilentLog } from '#telemetry';

import type { CloudEvent } from '../cloud-event.js';
import { RECORD_MACS } from '#testkit/message-bus/record-macs';
import { kafkaConnection } from '#testkit/message-bus/settings';
import { appendThing, ThingPublication } from '#testkit/message-bus/thing-publication';
import { KafkaMessageBus } from './kafka-message-bus.js';
import { KafkaPublisher } from './kafka-publisher.js';

const connection = kafkaConnection();
const randomness = new SystemRandomness();
const log = new SilentLog();

(connection.brokers.length > 0 ? describe : describe.skip)('messages that are published late', () => {
  const closing: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
  });

  it('reach every group, although later messages of their subject were handled before', async () => {
    const store = new SqliteEventStore({ path: ':memory:', clock: new FixedClock() });
    const topic = `late.${randomness.bytes(6).toString('hex')}`;
    const publication = new ThingPublication(store, topic);
    const settings = { ...connection, clientId: 'late', macs: RECORD_MACS };
    const publisher = new KafkaPublisher(settings, log, randomness);
    const bus = new KafkaMessageBus({ ...settings, publications: [publication], clock: new SystemClock(), randomness, log, metrics: new Metrics() });
    const stopping = new AbortController();
    closing.push(
      () => store.close(),
      () => publisher.close(),
      () => bus.close(),
    );
    const seen = new Map<string, number[]>();
    const consumptions = ['one', 'other'].map((group) => {
      const revisions: number[] = [];
      seen.set(group, revisions);
      return bus.consume({
        topic,
        group,
        types: [...publication.types],
        handler: async ({ esrevision }) => void revisions.push(esrevision),
        signal: stopping.signal,
      });
    });
    closing.push(async () => {
      stopping.abort();
      await Promise.all(consumptions.map(({ done }) => done));
    });
    const [first, parked, last] = (await Promise.all(
      (await appendThing(store, topic, 'a', 'Made', 'Moved', 'Moved')).map((event) => publication.message(event)),
    )) as [CloudEvent, CloudEvent, CloudEvent];
    await publisher.prepare(topic, 'create');
    await publisher.publish(topic, [first]);
    await publisher.publish(topic, [parked, last]);
    await eventually(() => [...seen.values()].every((revisions) => revisions.length === 3), { within: 40_000 });
    await bus.publishLate(topic, [parked]);
    await eventually(() => [...seen.values()].every((revisions) => revisions.length === 4), { within: 40_000 });
    expect([...seen.values()]).toEqual([
      [0, 1, 2, 1],
      [0, 1, 2, 1],
    ]);
  });
});
