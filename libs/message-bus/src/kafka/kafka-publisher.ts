import { type Admin, CompressionTypes, Partitioners, type Producer, type RecordMetadata } from 'kafkajs';

import { ServiceUnavailable } from '#kernel';
import type { Log } from '#telemetry';

import type { CloudEvent } from '../cloud-event.js';
import { MessagePublisher, type TopicReach } from '../message-publisher.js';
import { kafkaClient, type KafkaSettings } from './kafka-client.js';
import { asRecord } from './record.js';
import { ensureTopics, eventTopic } from './topics.js';

/**
 * Not the library's idempotent producer, which is experimental: a repetition after a lost answer puts a message there twice, and
 * consumers drop it by its revision. Order holds since one request at a time is under way.
 */
export class KafkaPublisher extends MessagePublisher {
  readonly #producer: Producer;
  readonly #admin: Admin;
  #connected: Promise<unknown> | undefined;

  constructor(settings: KafkaSettings, log: Log) {
    super();
    const kafka = kafkaClient(settings, log);
    this.#producer = kafka.producer({ allowAutoTopicCreation: false, createPartitioner: Partitioners.DefaultPartitioner, maxInFlightRequests: 1, idempotent: false });
    this.#admin = kafka.admin();
  }

  override prepare(topic: string): Promise<void> {
    return this.#ask(() => ensureTopics(this.#admin, [eventTopic(topic)]));
  }

  override publish(topic: string, messages: readonly CloudEvent[]): Promise<TopicReach> {
    return this.#ask(async () => {
      if (messages.length === 0) return {};
      return reachOf(await this.#producer.send({ topic, acks: -1, compression: CompressionTypes.GZIP, messages: messages.map(asRecord) }));
    });
  }

  override reach(topic: string): Promise<TopicReach> {
    return this.#ask(async () => Object.fromEntries((await this.#admin.fetchTopicOffsets(topic)).map(({ partition, high }) => [partition, high])));
  }

  override async close(): Promise<void> {
    await this.#connected?.catch(() => undefined);
    await Promise.all([this.#producer.disconnect(), this.#admin.disconnect()]);
  }

  async #ask<Answer>(work: () => Promise<Answer>): Promise<Answer> {
    try {
      this.#connected ??= Promise.all([this.#producer.connect(), this.#admin.connect()]);
      await this.#connected;
    } catch (error) {
      this.#connected = undefined;
      throw away(error);
    }
    return work().catch((error: unknown) => {
      throw away(error);
    });
  }
}

/** The offset of the first message of the batch: the partition reaches at least one further. */
const reachOf = (written: readonly RecordMetadata[]): TopicReach =>
  Object.fromEntries(written.map(({ partition, baseOffset = '0' }) => [partition, String(BigInt(baseOffset) + 1n)]));

const away = (error: unknown): ServiceUnavailable => new ServiceUnavailable(`Kafka: ${error instanceof Error ? error.message : 'unknown error'}`);
