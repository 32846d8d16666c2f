import { afterAll, beforeAll } from '@jest/globals';
import type { Kafka, Producer } from 'kafkajs';

import { SqliteEventStore } from '#engines/event-store';
import { SystemClock, SystemRandomness } from '#kernel';
import { FixedClock } from '../kernel/fixed-clock.js';
import { Metrics, SilentLog } from '#telemetry';

import type { MessageHandler } from '#engines/message-bus';
import { RECORD_MACS } from './record-macs.js';
import { kafkaConnection } from './settings.js';
import { appendThing, ThingPublication } from './thing-publication.js';
import { kafkaClient } from '#engines/message-bus';
import { KafkaMessageBus } from '#engines/message-bus';
import { KafkaPublisher } from '#engines/message-bus';

const connection = kafkaConnection();
export const { brokers } = connection;
/** Consumers that stop wait for their fetch: a short one makes the tests quick. */
export const settings = { ...connection, clientId: 'test', macs: RECORD_MACS, fetchWait: 500 };
export const log = new SilentLog();
export const randomness = new SystemRandomness();

/** The revisions of a thing, in the order of their first arrival. */
export const revisions = (seen: readonly string[], thing: string): number[] => [
  ...new Set(seen.filter((name) => name.startsWith(`${thing}/`)).map((name) => Number(name.split('/')[1]))),
];

export const store = new SqliteEventStore({ path: ':memory:', clock: new FixedClock() });
export const stop = new AbortController();
export const buses: KafkaMessageBus[] = [];
export let publisher: KafkaPublisher;
export let kafka: Kafka;
export let otherProducer: Producer;

/** The tests of the file share a publisher and a producer of foreign records. */
export const useKafka = (): void => {
  beforeAll(async () => {
    publisher = new KafkaPublisher(settings, log, randomness);
    kafka = kafkaClient(settings, log);
    otherProducer = kafka.producer();
    await otherProducer.connect();
  });
  afterAll(async () => {
    stop.abort();
    await Promise.all(buses.map((bus) => bus.close()));
    await Promise.all([publisher.close(), otherProducer.disconnect()]);
    await store.close();
  });
};

export const newTopic = async (): Promise<string> => {
  const topic = `test.${randomness.bytes(6).toString('hex')}`;
  await publisher.prepare(topic, 'create');
  return topic;
};

export const consume = (topic: string, handler: MessageHandler, metrics = new Metrics()) => {
  const publication = new ThingPublication(store, topic);
  const bus = new KafkaMessageBus({ ...settings, publications: [publication], clock: new SystemClock(), randomness, log, metrics });
  buses.push(bus);
  return { bus, ...bus.consume({ topic, group: 'group', types: [...publication.types], handler, signal: stop.signal, retryWaits: [1] }) };
};

export const made = async (topic: string, thing: string, ...types: readonly string[]) => {
  const publication = new ThingPublication(store, topic);
  return Promise.all((await appendThing(store, topic, thing, ...types)).map((event) => publication.message(event)));
};
