import { type Kafka, type PartitionMetadata, Partitioners } from 'kafkajs';

import type { Clock, Randomness } from '#kernel';
import type { Log, Metrics } from '#telemetry';

import type { CloudEvent } from '../cloud-event.js';
import { type Channel, sentChannel } from '../channel.js';
import { consumedTopic } from '../consumed-topic.js';
import { type ConsumeOptions, type Consumption, type DeadLetter, MessageBus, type Redriven } from '../message-bus.js';
import type { Publication } from '../publication.js';
import { BoundedProducer } from './bounded-producer.js';
import { ChannelProducer } from './channel-producer.js';
import { KafkaDeadLetters } from './dead-letters.js';
import { kafkaClient, type KafkaSettings } from './kafka-client.js';
import { KafkaConsumer } from './kafka-consumer.js';
import { asRecord } from './record.js';
import type { RecordMacs } from './record-macs.js';
import { TOPIC_DEFAULTS } from './topics.js';

export interface KafkaMessageBusParts extends KafkaSettings {
  /** Consumers connect when it resolves. Default: at once. */
  readonly begin?: Promise<void>;
  readonly publications: readonly Publication[];
  /** Default: none. */
  readonly channels?: readonly Channel[];
  readonly macs: RecordMacs;
  /** Messages of a partition under way at once. Default: 64. */
  readonly concurrency?: number;
  /** How long a broker holds its answer to a consumer while there is no message, in milliseconds. Default: 3,000, the time between two heartbeats. */
  readonly fetchWait?: number;
  readonly clock: Clock;
  readonly randomness: Randomness;
  readonly log: Log;
  readonly metrics: Metrics;
}

const CONCURRENCY = 64;
/** A message ends the wait at once. A heartbeat follows each fetch, so a longer wait would delay heartbeats. Milliseconds. */
const FETCH_WAIT = 3_000;

/** The library's own, by which the relay's producer chooses: Kafka's murmur2 of the key. */
const partitioner = Partitioners.DefaultPartitioner();

const partitionMetadata = (partitionId: number): PartitionMetadata => ({ partitionErrorCode: 0, partitionId, leader: 0, replicas: [], isr: [] });

/** Consumers on Kafka: ADR 0009. */
export class KafkaMessageBus extends MessageBus {
  readonly #kafka: Kafka;
  readonly #producer: BoundedProducer;
  readonly #consumptions = new Set<Promise<void>>();
  readonly #channels = new Map<string, ChannelProducer>();
  /** As the partitioner wants them, of the topic it was last asked about. */
  #partitions: PartitionMetadata[] = [];

  constructor(private readonly parts: KafkaMessageBusParts) {
    super();
    this.#kafka = kafkaClient(parts, parts.log);
    this.#producer = new BoundedProducer(this.#kafka, undefined, parts.calls);
  }

  override consume(options: ConsumeOptions): Consumption {
    const { publications, channels = [] } = this.parts;
    const publication = consumedTopic([...publications, ...channels], options);
    const {
      begin = Promise.resolve(),
      topics = TOPIC_DEFAULTS,
      concurrency = CONCURRENCY,
      fetchWait = FETCH_WAIT,
      macs,
      clock,
      log,
      metrics,
      calls,
    } = this.parts;
    const deadLetters = this.#deadLetters(options);
    const parts = { kafka: this.#kafka, topics, concurrency, fetchWait, publication, deadLetters, macs, clock, log, metrics, calls };
    const consumer = new KafkaConsumer(parts, options);
    const done = begin.then(() => consumer.run());
    this.#consumptions.add(done);
    void done.then(() => this.#consumptions.delete(done));
    return { done, check: () => consumer.check() };
  }

  override async send(topic: string, messages: readonly CloudEvent[]): Promise<void> {
    const { channels = [], topics = TOPIC_DEFAULTS, macs, log } = this.parts;
    sentChannel(channels, topic, messages);
    const producer = this.#channels.get(topic) ?? new ChannelProducer(topic, { kafka: this.#kafka, producer: this.#producer, topics, macs, log });
    this.#channels.set(topic, producer);
    await producer.send(messages);
  }

  override partitionOf(subject: string, partitions: number): number {
    if (this.#partitions.length !== partitions) this.#partitions = Array.from({ length: partitions }, (_, number) => partitionMetadata(number));
    return partitioner({ topic: '', partitionMetadata: this.#partitions, message: { key: subject, value: null } });
  }

  override deadLetters(topic: string, group: string): Promise<readonly DeadLetter[]> {
    return this.#deadLetters({ topic, group }).all();
  }

  override redrive(topic: string, group: string): Promise<Redriven> {
    return this.#deadLetters({ topic, group }).redrive();
  }

  /** Publishes messages that the relay could not make at their time to all groups. Throws ServiceUnavailable. */
  async publishLate(topic: string, messages: readonly CloudEvent[]): Promise<void> {
    const { macs } = this.parts;
    await this.#producer.send({ topic, messages: messages.map((message) => macs.redrive(macs.sign(asRecord(message)), '*')) });
  }

  override async close(): Promise<void> {
    await Promise.all(this.#consumptions);
    await this.#producer.close();
  }

  #deadLetters(of: { readonly topic: string; readonly group: string }): KafkaDeadLetters {
    const { clock, randomness, macs } = this.parts;
    return new KafkaDeadLetters({ kafka: this.#kafka, producer: this.#producer, clock, randomness, macs }, of);
  }
}
