import { describe, expect, it } from '@jest/globals';

import { SystemClock } from '#kernel';
import { eventually } from '#testkit/kernel/eventually';
import { Metrics } from '#telemetry';

import { collector } from '#testkit/message-bus/contract/fixture';
import { brokers, buses, log, randomness, settings, stop, useKafka, otherProducer } from '#testkit/message-bus/kafka-rig';
import { order, thingChannel } from '#testkit/message-bus/thing-channel';
import { KafkaMessageBus } from './kafka-message-bus.js';
import { asRecord } from './record.js';

(brokers.length > 0 ? describe : describe.skip)('a channel on Kafka', () => {
  useKafka();

  it('is created by the first message; a failing message, a forged one and one of another topic become dead letters', async () => {
    const topic = `test.${randomness.bytes(6).toString('hex')}`;
    const bus = new KafkaMessageBus({
      ...settings,
      publications: [],
      channels: [thingChannel(topic)],
      clock: new SystemClock(),
      randomness,
      log,
      metrics: new Metrics(),
    });
    buses.push(bus);
    await Promise.all([bus.send(topic, [order('a', 1)]), bus.send(topic, [order('b', 2)]), bus.send(topic, [order('c', 3)])]);
    await otherProducer.send({
      topic,
      messages: [asRecord(order('forged', 4)), settings.macs.sign(asRecord({ ...order('d', 5), type: 'session.completed' }))],
    });
    const all = collector();
    const handler = async (message: Parameters<typeof all.handler>[0]): Promise<void> => {
      if (message.subject === 'b') throw new Error('not this one');
      await all.handler(message);
    };
    bus.consume({ topic, group: 'group', types: ['thing.ordered'], handler, signal: stop.signal, retryWaits: [1] });
    // The ids without repetitions, since the bus may hand a message over again.
    const ids = (): ReadonlySet<string> => new Set(all.messages.map(({ id }) => id));
    const reasons = async (): Promise<ReadonlySet<string>> => new Set((await bus.deadLetters(topic, 'group')).map(({ reason }) => reason));
    await eventually(async () => ids().size === 2 && (await reasons()).size === 3);
    expect(ids()).toEqual(new Set(['a-1', 'c-3']));
    expect(await reasons()).toEqual(new Set(['Error', 'the record has no MAC', 'unknown type']));
  });
});
