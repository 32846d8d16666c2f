import { type Admin, type Kafka, type KafkaMessage, type RecordMetadata } from 'kafkajs';

import { type Randomness, within } from '#kernel';
import type { Log } from '#telemetry';

import type { CloudEvent } from '../cloud-event.js';
import { MessagePublisher, type TopicReach } from '../message-publisher.js';
import { BoundedProducer, CALL_TIME } from './bounded-producer.js';
import { compressionOf } from './compression.js';
import { kafkaClient, type KafkaSettings } from './kafka-client.js';
import { orUnavailable } from './kafka-unavailable.js';
import { readTopic } from './read-topic.js';
import { asMessage, asRecord, UnreadableRecord } from './record.js';
import type { RecordMacs } from './record-macs.js';
import { administer, ensureEventTopic, ensureRetention, existingEventTopic, exists, TOPIC_DEFAULTS } from './topics.js';

/**
 * A repetition after a lost answer stores a message twice, and consumers drop it by its revision. Messages keep their order because one request at a time is under way.
 */
export class KafkaPublisher extends MessagePublisher {
  readonly #kafka: Kafka;
  readonly #producer: BoundedProducer;

  constructor(
    private readonly settings: KafkaSettings & { readonly macs: RecordMacs },
    private readonly log: Log,
    private readonly randomness: Randomness,
    /** How long one call to the brokers may take, in milliseconds. */
    private readonly callTime = CALL_TIME,
  ) {
    super();
    this.#kafka = kafkaClient(settings, log);
    this.#producer = new BoundedProducer(this.#kafka, callTime, settings.calls);
  }

  override prepare(topic: string, missing: 'create' | 'refuse'): Promise<void> {
    const { topics = TOPIC_DEFAULTS } = this.settings;
    return this.#administer(async (admin) => {
      if (missing === 'create') await ensureEventTopic(admin, topic, topics, this.log);
      else await existingEventTopic(admin, topic, topics, this.log);
      await ensureRetention(admin, topic, topics);
    });
  }

  override publish(topic: string, messages: readonly CloudEvent[]): Promise<TopicReach> {
    return orUnavailable(this.#publish(topic, messages));
  }

  override async reach(topic: string): Promise<TopicReach | undefined> {
    const extents = await this.#administer(async (admin) => ((await exists(admin, topic)) ? admin.fetchTopicOffsets(topic) : undefined));
    return extents && Object.fromEntries(extents.map(({ partition, high }) => [partition, high]));
  }

  override async read(topic: string, from: TopicReach, each: (message: CloudEvent) => Promise<void>, signal: AbortSignal): Promise<void> {
    const eachRecord = async (record: KafkaMessage): Promise<void> => {
      const message = this.settings.macs.refusal(record) === undefined ? readable(record) : undefined;
      if (message) await each(message);
    };
    await orUnavailable(readTopic({ kafka: this.#kafka, randomness: this.randomness, topic, from, each: eachRecord, signal }));
  }

  override async close(): Promise<void> {
    await this.#producer.close();
  }

  async #publish(topic: string, messages: readonly CloudEvent[]): Promise<TopicReach> {
    if (messages.length > 0)
      return startOf(
        await this.#producer.send({
          topic,
          compression: compressionOf(messages),
          messages: messages.map((message) => this.settings.macs.sign(asRecord(message))),
        }),
      );
    await this.#producer.connect();
    return {};
  }

  #administer<Answer>(work: (admin: Admin) => Promise<Answer>): Promise<Answer> {
    return orUnavailable(within(this.callTime, administer(this.#kafka, work)));
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
