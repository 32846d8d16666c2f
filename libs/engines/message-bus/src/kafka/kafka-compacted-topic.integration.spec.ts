import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import { CapturedLog } from '#testkit/engine-access/captured-log';
import { SystemRandomness } from '#kernel';
import { eventually } from '#testkit/kernel/eventually';
import type { Admin, Producer } from 'kafkajs';

import { foreignClient, kafkaBrokers, kafkaConnection } from '#testkit/message-bus/settings';
import { KafkaCompactedTopic } from './kafka-compacted-topic.js';

const randomness = new SystemRandomness();
const TOPIC = 2;

(kafkaBrokers().length > 0 ? describe : describe.skip)('a topic that keeps the newest value of each key', () => {
  let name: string;
  let admin: Admin;
  let producer: Producer;
  let log: CapturedLog;
  let topic: KafkaCompactedTopic;
  const open = (topicName: string): KafkaCompactedTopic =>
    new KafkaCompactedTopic({ ...kafkaConnection(), clientId: 'test', randomness, log }, topicName);

  beforeAll(async () => {
    log = new CapturedLog();
    const first = open(`test.${randomness.bytes(6).toString('hex')}`);
    await first.put('key', {});
    const read = (): Promise<boolean> => first.all().then(Boolean, () => false);
    await eventually(read, { what: 'a new broker takes its first group' });
    await first.close();
  });
  beforeEach(async () => {
    name = `test.${randomness.bytes(6).toString('hex')}`;
    log = new CapturedLog();
    topic = open(name);
    const client = foreignClient();
    [admin, producer] = [client.admin(), client.producer()];
    await Promise.all([admin.connect(), producer.connect()]);
  });
  afterEach(() => Promise.all([topic.close(), producer.disconnect(), admin.disconnect()]));

  const policy = async (): Promise<Record<string, string>> => {
    const { resources } = await admin.describeConfigs({ resources: [{ type: TOPIC, name }], includeSynonyms: false });
    return Object.fromEntries(resources[0]!.configEntries.map(({ configName, configValue }) => [configName, configValue]));
  };
  /** As a broker makes it for the first record of a producer: with the broker's retention, which deletes, and its number of partitions. */
  const madeByAnother = async (): Promise<void> => {
    const configEntries = [
      { name: 'retention.ms', value: '604800000' },
      { name: 'max.message.bytes', value: '123456' },
    ];
    await admin.createTopics({ waitForLeaders: true, topics: [{ topic: name, numPartitions: 3, configEntries }] });
  };

  it.each(['read', 'written'] as const)(
    'that another program has made is compacted once it is %s, and keeps its other configuration',
    async (use) => {
      await madeByAnother();
      expect(await policy()).toMatchObject({ 'cleanup.policy': 'delete' });
      await (use === 'read' ? topic.all() : topic.put('key', {}));
      expect(await policy()).toMatchObject({ 'cleanup.policy': 'compact', 'retention.ms': '604800000', 'max.message.bytes': '123456' });
    },
  );

  it('is read in all partitions, the records since the last reading too', async () => {
    await madeByAnother();
    const put = (from: number) =>
      producer.send({ topic: name, messages: [0, 1, 2].map((partition) => ({ partition, key: `key-${from + partition}`, value: '{"a":1}' })) });
    await put(0);
    expect([...(await topic.all()).keys()].sort()).toEqual(['key-0', 'key-1', 'key-2']);
    await put(3);
    expect([...(await topic.all()).keys()].sort()).toEqual(['key-0', 'key-1', 'key-2', 'key-3', 'key-4', 'key-5']);
  });

  it('that was lost and made again holds the new records alone', async () => {
    await topic.put('former', { a: 1 });
    await topic.put('later', { a: 1 });
    expect((await topic.all()).size).toBe(2);
    await admin.deleteTopics({ topics: [name] });
    await madeByAnother();
    await producer.send({ topic: name, messages: [{ partition: 2, key: 'new', value: '{"a":2}' }] });
    expect(await topic.all()).toEqual(new Map([['new', { a: 2 }]]));
    expect(await policy()).toMatchObject({ 'cleanup.policy': 'compact' });
  });

  it('that was lost and made again, and has more records than before, is read from its beginning', async () => {
    await topic.put('former', { a: 1 });
    expect((await topic.all()).size).toBe(1);
    await admin.deleteTopics({ topics: [name] });
    const other = open(name);
    await other.put('first', { a: 2 });
    await other.put('second', { a: 3 });
    const again = new Map([
      ['first', { a: 2 }],
      ['second', { a: 3 }],
    ]);
    expect(await topic.all()).toEqual(again);
    await other.put('third', { a: 4 });
    await other.close();
    expect(await topic.all()).toEqual(new Map([...again, ['third', { a: 4 }]]));
  });

  it('leaves out a record that is no JSON object, says so once, and holds all others', async () => {
    await topic.put('before', { a: 1 });
    const broken = ['{', '[]', 'null', '1', ''];
    await producer.send({ topic: name, messages: broken.map((value, at) => ({ key: `broken-${at}`, value })) });
    await topic.put('after', { a: 2 });
    const all = new Map([
      ['before', { a: 1 }],
      ['after', { a: 2 }],
    ]);
    expect(await topic.all()).toEqual(all);
    expect(log.text.match(/holds a record that is no JSON object/g)).toHaveLength(1);
  });
});
