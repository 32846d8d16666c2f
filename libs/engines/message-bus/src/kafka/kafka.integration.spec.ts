import { describe, expect, it } from '@jest/globals';

import { SqliteEventStore } from '#engines/event-store';
import { SystemClock } from '#kernel';
import { FixedClock } from '#testkit/kernel/fixed-clock';
import { eventually } from '#testkit/kernel/eventually';
import { Metrics } from '#telemetry';

import { collector } from '#testkit/message-bus/contract/fixture';
import type { CloudEvent } from '../cloud-event.js';
import { untilAvailable } from '../handover.js';
import type { MessageHandler } from '../message-bus.js';
import { hasShrunk, reachAfter } from '../message-publisher.js';
import { RECORD_MACS } from '#testkit/message-bus/record-macs';
import { ThingPublication } from '#testkit/message-bus/thing-publication';
import { KafkaMessageBus } from './kafka-message-bus.js';
import { KafkaPublisher } from './kafka-publisher.js';
import { asRecord } from './record.js';
import { administer, TOPIC_DEFAULTS, type TopicSettings } from './topics.js';
import {
  brokers,
  settings,
  log,
  randomness,
  revisions,
  store,
  stop,
  buses,
  publisher,
  kafka,
  otherProducer,
  useKafka,
  newTopic,
  consume,
  made,
} from '#testkit/message-bus/kafka-rig';

(brokers.length > 0 ? describe : describe.skip)('Kafka', () => {
  useKafka();

  it('stores a forged record as a dead letter, also when it is redriven, and hands it to no handler', async () => {
    const topic = await newTopic();
    const [first, second] = (await made(topic, 'a', 'Made', 'Made')) as [CloudEvent, CloudEvent];
    const forged = asRecord({ ...first, id: 'forged' });
    await otherProducer.send({ topic, messages: [forged, { ...RECORD_MACS.sign(asRecord(second)), value: '{"more":1}' }] });
    await publisher.publish(topic, [first, second]);
    const all = collector();
    const { bus } = consume(topic, all.handler);
    await all.until(2);
    await eventually(async () => (await bus.deadLetters(topic, 'group')).length === 2);
    expect((await bus.deadLetters(topic, 'group')).map(({ reason }) => reason).sort()).toEqual([
      'the MAC of the record is wrong',
      'the record has no MAC',
    ]);
    expect(await bus.redrive(topic, 'group')).toMatchObject({ redriven: 2 });
    await eventually(async () => (await bus.deadLetters(topic, 'group')).length === 4);
    expect(revisions(all.seen, 'a')).toEqual([0, 1]);
  });

  it('has no dead letters of a group that has created no topic for them, and creates none', async () => {
    const topic = await newTopic();
    const bus = new KafkaMessageBus({ ...settings, publications: [], clock: new SystemClock(), randomness, log, metrics: new Metrics() });
    buses.push(bus);
    expect(await bus.deadLetters(topic, 'a-new-group')).toEqual([]);
    expect(await bus.redrive(topic, 'a-new-group')).toEqual({ redriven: 0, unreadable: 0 });
    const topics = await administer(kafka, (admin) => admin.listTopics());
    expect(topics.filter((name) => name.startsWith(topic))).toEqual([topic]);
  });

  it('stores records that it cannot parse as dead letters, and goes on with the partition', async () => {
    const topic = await newTopic();
    const key = 'a';
    await otherProducer.send({
      topic,
      messages: [
        { key, value: '{' },
        { key, value: 'x'.repeat(900_000) },
        { key: null, value: null },
      ],
    });
    await publisher.publish(topic, await made(topic, key, 'Made'));
    const all = collector();
    const { bus } = consume(topic, all.handler);
    await all.until(1);
    // At least once: a group that is rebalanced before it has committed reads the records again. The place of the record tells which it is.
    const letters = [...new Map((await bus.deadLetters(topic, 'group')).map((letter) => [letter.origin, letter])).values()];
    expect(letters.map(({ reason }) => reason)).toEqual(Array.from({ length: 3 }, () => 'no attribute specversion'));
    expect(letters.map(({ message }) => message)).toEqual([undefined, undefined, undefined]);
  });

  it('drops duplicates, and fills gaps from the stream', async () => {
    const topic = await newTopic();
    const messages = await made(topic, 'a', 'Made', 'Moved', 'Moved', 'Broken');
    const [first, second, , last] = messages as [(typeof messages)[0], (typeof messages)[0], unknown, (typeof messages)[0]];
    await publisher.publish(topic, [first, second]);
    await publisher.publish(topic, [first, second, last]);
    const all = collector();
    const metrics = new Metrics();
    consume(topic, all.handler, metrics);
    await all.until(4);
    expect(all.seen).toEqual(['a/0', 'a/1', 'a/2', 'a/3']);
    const { values } = await metrics.busMessages.get();
    expect(values.find(({ labels }) => labels.outcome === 'duplicate')?.value).toBe(2);
  });

  it('shares the work between the members of a group, and loses no message when one joins', async () => {
    const topic = await newTopic();
    const things = Array.from({ length: 40 }, (_, number) => `thing${number}`);
    const first = collector();
    const second = collector();
    const publish = async (type: string) => {
      for (const thing of things) await publisher.publish(topic, await made(topic, thing, type));
    };
    await publish('Made');
    consume(topic, first.handler);
    await first.until(things.length);
    consume(topic, second.handler);
    let rounds = 1;
    for (; second.seen.length === 0; rounds += 1) await publish('Moved');
    await publish('Broken');
    const all = () => new Set([...first.seen, ...second.seen]);
    while (all().size < things.length * (rounds + 1)) await Promise.race([first.until(first.seen.length + 1), second.until(second.seen.length + 1)]);
    for (const one of [first, second]) {
      for (const thing of things) expect(revisions(one.seen, thing)).toEqual(revisions(one.seen, thing).toSorted((a, b) => a - b));
    }
  });

  it('detects that a topic was lost and created again', async () => {
    const topic = await newTopic();
    const start = await publisher.publish(topic, [
      ...(await made(topic, 'a', 'Made')),
      ...(await made(topic, 'b', 'Made')),
      ...(await made(topic, 'c', 'Made')),
    ]);
    const before = reachAfter({}, start);
    expect(hasShrunk(before, await publisher.reach(topic))).toBe(false);
    const admin = kafka.admin();
    await admin.connect();
    await admin.deleteTopics({ topics: [topic] });
    await eventually(async () => (await publisher.reach(topic)) === undefined);
    await expect(publisher.prepare(topic, 'refuse')).rejects.toThrow('does not exist');
    expect(hasShrunk(before, undefined)).toBe(true);
    await publisher.prepare(topic, 'create');
    await admin.disconnect();
    expect(hasShrunk(before, await untilAvailable(() => publisher.reach(topic), { signal: stop.signal, heartbeat: async () => undefined }))).toBe(
      true,
    );
  });

  it('makes a topic as the settings say, and brings the retention of one that exists to theirs', async () => {
    const topic = `test.${randomness.bytes(6).toString('hex')}`;
    const opened = (topics: TopicSettings) => new KafkaPublisher({ ...settings, topics }, log, randomness);
    const first = opened({ partitions: 3, replication: 1, retentionHours: 1 });
    const later = opened({ partitions: 3, replication: 1, retentionHours: 2 });
    const admin = kafka.admin();
    await admin.connect();
    const configured = async (...names: string[]) => {
      const { resources } = await admin.describeConfigs({ resources: [{ type: 2, name: topic, configNames: names }], includeSynonyms: false });
      return resources[0]!.configEntries.map(({ configValue }) => configValue);
    };
    try {
      await first.prepare(topic, 'create');
      expect((await admin.fetchTopicMetadata({ topics: [topic] })).topics[0]?.partitions).toHaveLength(3);
      expect(await configured('retention.ms')).toEqual(['3600000']);
      const [inSync] = await configured('min.insync.replicas');
      await later.prepare(topic, 'create');
      expect(await configured('retention.ms')).toEqual(['7200000']);
      expect(await configured('min.insync.replicas')).toEqual([inSync]);
    } finally {
      await Promise.all([admin.disconnect(), first.close(), later.close()]);
    }
  });

  it('refuses a topic with more partitions than the settings say, and more replicas than brokers, naming the remedy; uses one with fewer', async () => {
    const topic = await newTopic();
    const opened = (topics: Partial<TopicSettings>) => new KafkaPublisher({ ...settings, topics: { ...TOPIC_DEFAULTS, ...topics } }, log, randomness);
    const fewer = opened({ partitions: 5 });
    const more = opened({ partitions: 12 });
    const copied = opened({ replication: 99 });
    await expect(fewer.prepare(topic, 'create')).rejects.toThrow('set KAFKA_PARTITIONS to 6');
    await expect(copied.prepare(`${topic}.other`, 'create')).rejects.toThrow('set KAFKA_REPLICATION to');
    await more.prepare(topic, 'create');
    expect(Object.keys((await more.reach(topic)) ?? {})).toHaveLength(6);

    const publication = new ThingPublication(store, topic);
    const topics = { ...TOPIC_DEFAULTS, partitions: 5 };
    const parts = { clock: new SystemClock(), randomness, log, metrics: new Metrics() };
    const bus = new KafkaMessageBus({ ...settings, ...parts, topics, publications: [publication] });
    buses.push(bus);
    const { check } = bus.consume({ topic, group: 'refused', types: [], handler: async () => undefined, signal: stop.signal });
    const refused = () =>
      check().then(
        () => false,
        (error: { readonly reason: string }) => error.reason.includes('set KAFKA_PARTITIONS to 6'),
      );
    await eventually(refused, { what: 'the consumer says why it is not ready', within: 20_000 });
    await Promise.all([fewer, more, copied].map((publisher) => publisher.close()));
  });

  it('works on no more messages of a partition at once than CONSUMER_CONCURRENCY', async () => {
    const topic = `test.${randomness.bytes(6).toString('hex')}`;
    const topics = { ...TOPIC_DEFAULTS, partitions: 1 };
    const single = new KafkaPublisher({ ...settings, topics }, log, randomness);
    await single.prepare(topic, 'create');
    for (let thing = 0; thing < 20; thing++) await single.publish(topic, await made(topic, `thing${thing}`, 'Made'));
    await single.close();
    let underWay = 0;
    let most = 0;
    const all = collector();
    const parts = { clock: new SystemClock(), randomness, log, metrics: new Metrics() };
    const bus = new KafkaMessageBus({ ...settings, ...parts, topics, concurrency: 3, publications: [new ThingPublication(store, topic)] });
    buses.push(bus);
    const handler: MessageHandler = async (message) => {
      most = Math.max(most, ++underWay);
      await new Promise((resolve) => setImmediate(resolve));
      await all.handler(message);
      underWay -= 1;
    };
    bus.consume({ topic, group: 'group', types: ['thing.made'], handler, signal: stop.signal });
    await all.until(20);
    expect(most).toBe(3);
  });

  it('runs no timer on an idle connection', async () => {
    const original = globalThis.setTimeout;
    let negative = 0;
    globalThis.setTimeout = Object.assign((...args: Parameters<typeof setTimeout>) => {
      if ((args[1] ?? 0) < 0) negative += 1;
      return original(...args);
    }, original) as typeof setTimeout;
    await otherProducer.send({ topic: await newTopic(), messages: [{ key: 'a', value: '{}' }] });
    await new Promise((resolve) => original(resolve, 300));
    globalThis.setTimeout = original;
    expect(negative).toBe(0);
  });
});

describe('without a broker', () => {
  const unreachable = { brokers: ['127.0.0.1:9'], clientId: 'test', macs: RECORD_MACS };

  it('a publisher throws ServiceUnavailable, as who looks for dead letters does, and a consumer is not ready', async () => {
    const publisher = new KafkaPublisher(unreachable, log, randomness);
    await expect(publisher.publish('topic', [])).rejects.toMatchObject({ code: 'service_unavailable' });
    await publisher.close();
    const store = new SqliteEventStore({ path: ':memory:', clock: new FixedClock() });
    const stop = new AbortController();
    const bus = new KafkaMessageBus({
      ...unreachable,
      publications: [new ThingPublication(store, 'topic')],
      clock: new SystemClock(),
      randomness,
      log,
      metrics: new Metrics(),
    });
    const { check, done } = bus.consume({ topic: 'topic', group: 'group', types: [], handler: async () => undefined, signal: stop.signal });
    await expect(check()).rejects.toMatchObject({ code: 'service_unavailable' });
    // The health of the staff leaves this part out; any other error would be a 500.
    await expect(bus.deadLetters('topic', 'group')).rejects.toMatchObject({ code: 'service_unavailable' });
    await expect(bus.redrive('topic', 'group')).rejects.toMatchObject({ code: 'service_unavailable' });
    stop.abort();
    await done;
    await bus.close();
    await store.close();
  });
});
