import type { Admin, Kafka, KafkaMessage } from 'kafkajs';

import { type JsonObject, KeyedQueue, parsedObject, type Randomness, within } from '#kernel';
import type { Log } from '#telemetry';

import { hasShrunk, type TopicReach } from '../message-publisher.js';
import { BoundedProducer, CALL_TIME } from './bounded-producer.js';
import { kafkaClient, type KafkaSettings } from './kafka-client.js';
import { kafkaUnavailable } from './kafka-unavailable.js';
import { readTopic } from './read-topic.js';
import { administer, ensureCompactedTopic, TOPIC_DEFAULTS } from './topics.js';

export interface KafkaCompactedTopicParts extends KafkaSettings {
  readonly randomness: Randomness;
  readonly log: Log;
}

/** A topic that keeps the newest value of each key for ever. All of it is held in memory. Every method throws ServiceUnavailable. */
export class KafkaCompactedTopic {
  readonly #kafka: Kafka;
  readonly #producer: BoundedProducer;
  /** Reads and the first connection, one at a time. */
  readonly #queue = new KeyedQueue();
  readonly #values = new Map<string, JsonObject>();
  /** The last record that was read of each partition: offset, time and key. */
  readonly #last = new Map<number, string>();
  /** The offset of each partition up to which the topic has been read. */
  #readTo: TopicReach = {};
  #hasWarned = false;
  #isConnected = false;

  /** Connects with the first call, which creates a missing topic. */
  constructor(
    private readonly parts: KafkaCompactedTopicParts,
    private readonly topic: string,
  ) {
    this.#kafka = kafkaClient(parts, parts.log);
    this.#producer = new BoundedProducer(this.#kafka, undefined, parts.calls);
  }

  /** Resolves when the value is safe against the loss of a broker. */
  put(key: string, value: JsonObject): Promise<void> {
    return orUnavailable(async () => {
      await this.#queue.run('connection', () => this.#connect());
      await this.#producer.send({ topic: this.topic, messages: [{ key, value: JSON.stringify(value) }] });
    });
  }

  /** The newest value of each key, by all processes. Reads only the records since the last call. */
  all(): Promise<ReadonlyMap<string, JsonObject>> {
    return orUnavailable(() => this.#queue.run('reading', () => this.#read()));
  }

  async close(): Promise<void> {
    await this.#queue.run('reading', async () => undefined);
    await this.#producer.close();
  }

  async #connect(): Promise<void> {
    if (this.#isConnected) return;
    await within(
      CALL_TIME,
      administer(this.#kafka, (admin) => this.#ensure(admin)),
    );
    await this.#producer.connect();
    this.#isConnected = true;
  }

  /** A user with fewer rights than the script grants may not see the configuration of the topic, and works with the topic as it is. */
  async #ensure(admin: Admin): Promise<void> {
    try {
      await ensureCompactedTopic(admin, this.topic, this.parts.topics ?? TOPIC_DEFAULTS);
    } catch (error) {
      if (!isRefusal(error)) throw error;
      this.#warnOnce(`this user may not see or change the configuration of ${this.topic}: repeat deploy/rights/kafka.sh`);
    }
  }

  async #read(): Promise<ReadonlyMap<string, JsonObject>> {
    const { topic } = this;
    const extents = administer(this.#kafka, async (admin) => {
      await this.#ensure(admin);
      return admin.fetchTopicOffsets(topic);
    });
    const ends = Object.fromEntries((await within(CALL_TIME, extents)).map(({ partition, high }) => [partition, high]));
    if (hasShrunk(this.#readTo, ends) || !(await this.#readOn(ends))) {
      // The topic was lost and created again.
      this.#values.clear();
      this.#readTo = {};
      this.#last.clear();
      await this.#readOn(ends);
    }
    return new Map(this.#values);
  }

  /**
   * Reads the records since the last call. Where there are any, the record before them is read again: answers false if it is another one now, because a topic that was made anew may
   * have as many records as the lost one. Compaction may have removed that record; then all is read again, too.
   */
  async #readOn(ends: TopicReach): Promise<boolean> {
    const before = this.#readTo;
    const from = Object.fromEntries(
      Object.entries(before).map(([partition, read]) => [partition, read === ends[partition] || read === '0' ? read : String(BigInt(read) - 1n)]),
    );
    const isKnown = new Map<number, boolean>();
    const each = async (record: KafkaMessage, partition: number): Promise<void> => {
      const identity = `${record.offset} ${record.timestamp} ${record.key?.toString() ?? ''}`;
      if (!isKnown.has(partition)) isKnown.set(partition, from[partition] === before[partition] || this.#last.get(partition) === identity);
      this.#last.set(partition, identity);
      this.#take(record);
    };
    const readTo = await readTopic({ kafka: this.#kafka, randomness: this.parts.randomness, topic: this.topic, from, each });
    this.#readTo = readTo;
    return [...isKnown.values()].every(Boolean);
  }

  #take({ key, value }: KafkaMessage): void {
    if (!key) return;
    // A record without a value removes its key, at the latest when the topic is compacted.
    if (!value) return void this.#values.delete(key.toString());
    const content = parsedObject(value.toString()) as JsonObject | undefined;
    if (content) this.#values.set(key.toString(), content);
    else this.#warnOnce(`${this.topic} holds a record that is no JSON object, which is left out`);
  }

  #warnOnce(reason: string): void {
    if (!this.#hasWarned) this.parts.log.warn('a topic is used as it is', { component: 'kafka', reason });
    this.#hasWarned = true;
  }
}

const isRefusal = (error: unknown): boolean => (error as { type?: unknown }).type === 'TOPIC_AUTHORIZATION_FAILED';

const orUnavailable = <Answer>(work: () => Promise<Answer>): Promise<Answer> =>
  work().catch((error: unknown) => {
    throw kafkaUnavailable(error);
  });
