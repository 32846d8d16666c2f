import { CompressionTypes, type Kafka, type KafkaMessage, Partitioners, type Producer, type RecordMetadata } from 'kafkajs';

import { type Randomness, ServiceUnavailable } from '#kernel';
import type { Log } from '#telemetry';

import type { CloudEvent } from '../cloud-event.js';
import { MessagePublisher, type TopicReach } from '../message-publisher.js';
import { kafkaClient, type KafkaSettings } from './kafka-client.js';
import { readTopic } from './read-topic.js';
import { asMessage, asRecord, UnreadableRecord } from './record.js';
import { administer, ensureTopics, eventTopic } from './topics.js';

/**
 * Does not use the library's idempotent producer, which is experimental. A repetition after a lost answer stores a message twice, and
 * consumers drop it by its revision. Messages keep their order because one request at a time is under way.
 */
export class KafkaPublisher extends MessagePublisher {
  readonly #kafka: Kafka;
  readonly #producer: Producer;
  #connected: Promise<void> | undefined;

  constructor(
    settings: KafkaSettings,
    log: Log,
    private readonly randomness: Randomness,
  ) {
    super();
    this.#kafka = kafkaClient(settings, log);
    this.#producer = this.#kafka.producer({
      allowAutoTopicCreation: false,
      createPartitioner: Partitioners.DefaultPartitioner,
      maxInFlightRequests: 1,
      idempotent: false,
    });
  }

  override prepare(topic: string): Promise<void> {
    return orUnavailable(administer(this.#kafka, (admin) => ensureTopics(admin, [eventTopic(topic)])));
  }

  override publish(topic: string, messages: readonly CloudEvent[]): Promise<TopicReach> {
    return orUnavailable(this.#publish(topic, messages));
  }

  override async reach(topic: string): Promise<TopicReach> {
    const extents = await orUnavailable(administer(this.#kafka, (admin) => admin.fetchTopicOffsets(topic)));
    return Object.fromEntries(extents.map(({ partition, high }) => [partition, high]));
  }

  override async read(topic: string, from: TopicReach, each: (message: CloudEvent) => Promise<void>, signal: AbortSignal): Promise<void> {
    const eachRecord = async (record: KafkaMessage): Promise<void> => {
      const message = readable(record);
      if (message) await each(message);
    };
    await orUnavailable(readTopic({ kafka: this.#kafka, randomness: this.randomness, topic, from, each: eachRecord, signal }));
  }

  override async close(): Promise<void> {
    await this.#connected?.catch(() => undefined);
    await this.#producer.disconnect();
  }

  async #publish(topic: string, messages: readonly CloudEvent[]): Promise<TopicReach> {
    this.#connected ??= this.#producer.connect();
    await this.#connected.catch((error: unknown) => {
      this.#connected = undefined;
      throw error;
    });
    if (messages.length === 0) return {};
    return startOf(await this.#producer.send({ topic, acks: -1, compression: CompressionTypes.GZIP, messages: messages.map(asRecord) }));
  }
}

const readable = (record: KafkaMessage): CloudEvent | undefined => {
  try {
    return asMessage(record);
  } catch (error) {
    if (!(error instanceof UnreadableRecord)) throw error;
    return undefined;
  }
};

const startOf = (written: readonly RecordMetadata[]): TopicReach =>
  Object.fromEntries(written.map(({ partition, baseOffset = '0' }) => [partition, baseOffset]));

const orUnavailable = <Answer>(answer: Promise<Answer>): Promise<Answer> =>
  answer.catch((error: unknown) => {
    throw new ServiceUnavailable(`Kafka: ${error instanceof Error ? error.message : 'unknown error'}`);
  });
