import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';

import { Kafka, type KafkaMessage, logLevel } from 'kafkajs';

import { EventIds, NO_STREAM, SqliteEventStore, streamName } from '#event-store';
import { SystemClock, SystemRandomness } from '#kernel';
import { type CloudEvent, KafkaMessageBus, KafkaPublisher } from '#message-bus';
import { SESSION_EVENTS_TOPIC, SessionPublication } from '#session';
import { Metrics, SilentLog } from '#telemetry';

import { KafkaCluster } from '../../../tools/kafka/cluster.mjs';
import { EventRelay } from '../src/event-relay.js';
import { asyncApi, deviations } from './asyncapi.js';

const clock = new SystemClock();
const randomness = new SystemRandomness();
const log = new SilentLog();

const CREATED = { type: 'SessionCreated', data: { clientId: '11111111-1111-4111-8111-111111111111', signatureType: 'AUTHENTICATION', pushStatus: 'NOT_REQUESTED', sealed: '', at: 1_000, expiresAt: 121_000 } };
const LATER = [{ type: 'ScanRefused', data: { deviceId: 'device', at: 1_500 } }, { type: 'SessionCancelled', data: { reason: 'DECLINED', at: 2_000 } }];

jest.setTimeout(120_000);

/** In the order of the tests: the same broker lives, dies, and forgets everything. */
describe('store → relay → Kafka → consumer', () => {
  const store = new SqliteEventStore({ path: ':memory:', clock });
  const metrics = new Metrics();
  const leave = new AbortController();
  const seen: CloudEvent[] = [];
  const created: string[] = [];
  const closing: (() => Promise<unknown>)[] = [];
  let cluster: KafkaCluster;

  beforeAll(async () => {
    cluster = await KafkaCluster.open({ directory: await mkdtemp(join(tmpdir(), 'kafka-')) });
    await cluster.start();
    const settings = { brokers: cluster.brokers, clientId: 'test' };
    const publication = new SessionPublication(store);
    const publisher = new KafkaPublisher(settings, log);
    const relay = new EventRelay({ eventStore: store, publication, publisher, clock, randomness, log, metrics }, { lease: 3_000, retry: 200, look: 500 });
    const bus = new KafkaMessageBus({ ...settings, publications: [publication], clock, randomness, log, metrics });
    const consumption = bus.consume({
      topic: SESSION_EVENTS_TOPIC,
      group: 'test',
      types: [...publication.types],
      handler: async (message) => void seen.push(message),
      signal: leave.signal,
    });
    const running = relay.run(leave.signal);
    closing.push(() => running, () => consumption.done, () => publisher.close(), () => bus.close(), () => store.close(), () => cluster.remove());
  }, 120_000);
  afterAll(async () => {
    leave.abort();
    for (const close of closing) await close();
  }, 60_000);

  const sessions = async (count: number): Promise<void> => {
    for (let session = 0; session < count; session += 1) {
      const id = randomness.uuid<string>();
      const stream = streamName('session', id);
      const ids = new EventIds(randomness);
      await store.append(stream, NO_STREAM, [{ ...CREATED, id: ids.next(stream) }]);
      await store.append(stream, 0, LATER.map((fact) => ({ ...fact, id: ids.next(stream) })));
      created.push(id);
    }
  };

  /** Every event of every session, in order, as far as it was not seen before. */
  const everything = async (from = 0): Promise<void> => {
    const names = () => seen.slice(from).map(({ subject, esrevision }) => `${subject}/${esrevision}`);
    const expected = created.flatMap((id) => [0, 1, 2].map((revision) => `${id}/${revision}`));
    while (new Set(names()).size < expected.length) await sleep(100);
    for (const id of created) {
      const revisions = [...new Set(names().filter((name) => name.startsWith(id)))];
      expect(revisions).toEqual([0, 1, 2].map((revision) => `${id}/${revision}`));
    }
  };

  it('brings every event of every session, in order', async () => {
    await sessions(50);
    await everything();
  });

  it('writes records as docs/asyncapi.yaml describes them', async () => {
    const api = await asyncApi();
    const consumer = new Kafka({ brokers: [...cluster.brokers], logLevel: logLevel.NOTHING }).consumer({ groupId: 'reader' });
    const records: KafkaMessage[] = [];
    const partitions = new Set<number>();
    await consumer.connect();
    await consumer.subscribe({ topics: [api.document.channels.sessionEvents.address], fromBeginning: true });
    await consumer.run({
      eachMessage: async ({ message, partition }) => {
        records.push(message);
        partitions.add(partition);
      },
    });
    while (records.length < 150) await sleep(50);
    await consumer.disconnect();
    for (const { key, value, headers = {} } of records) {
      const texts = Object.fromEntries(Object.entries(headers).map(([name, header]) => [name, String(header)]));
      const type = texts['ce_type'] ?? '';
      expect(deviations(api.headers(type), texts, api.headerNames)).toEqual([]);
      expect(deviations(api.payload(type), JSON.parse(String(value)) as object, api.memberNames)).toEqual([]);
      expect(String(key)).toBe(texts['ce_subject']);
    }
    expect(partitions.size).toBe(api.document.channels.sessionEvents.bindings.kafka.partitions);
  });

  it('goes on after the only broker was killed under load', async () => {
    await sessions(20);
    await cluster.kill();
    await sessions(50);
    expect((await store.read(streamName('session', created.at(-1)!))).length).toBe(3); // nobody who writes has noticed
    await cluster.start();
    await sessions(20);
    await everything();
  });

  it('fills the topic again when the broker has lost its disk', async () => {
    await everything();
    const before = seen.length;
    await cluster.kill();
    await cluster.wipe();
    await cluster.start();
    await sessions(5);
    await everything();
    while (seen.length < before + 15) await sleep(100);
    const again = new Map(seen.slice(before).map((message) => [`${message.subject}/${message.esrevision}`, message]));
    for (const first of seen.slice(0, before)) {
      const second = again.get(`${first.subject}/${first.esrevision}`);
      if (second) expect(second).toEqual(first);
    }
    expect((await metrics.relayRefills.get()).values[0]!.value).toBe(1);
  });
});
