import type { Admin, Kafka, KafkaMessage } from 'kafkajs';

import { type JsonObject, KeyedQueue, type Randomness, within } from '#kernel';
import type { Log } from '#telemetry';

import { BoundedProducer, CALL_TIME } from './bounded-producer.js';
import { kafkaClient, type KafkaSettings } from './kafka-client.js';
import { kafkaUnavailable } from './kafka-unavailable.js';
import { readTopic } from './read-topic.js';
import { administer, compactedTopic, ensureTopics, TOPIC_DEFAULTS } from './topics.js';

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
  /** The offset up to which the topic has been read. */
  #readTo = 0n;
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

  #ensure(admin: Admin): Promise<void> {
    return ensureTopics(admin, [compactedTopic(this.topic)], this.parts.topics ?? TOPIC_DEFAULTS);
  }

  async #read(): Promise<ReadonlyMap<string, JsonObject>> {
    const { topic } = this;
    const extents = administer(this.#kafka, async (admin) => {
      await this.#ensure(admin);
      return admin.fetchTopicOffsets(topic);
    });
    const [extent] = await within(CALL_TIME, extents);
    if (BigInt(extent?.high ?? '0') < this.#readTo) {
      // The topic was lost and created again.
      this.#values.clear();
      this.#readTo = 0n;
    }
    const each = async ({ key, value }: KafkaMessage): Promise<void> => {
      if (key && value) this.#values.set(key.toString(), JSON.parse(value.toString()) as JsonObject);
    };
    const from = { 0: String(this.#readTo) };
    const ends = await readTopic({ kafka: this.#kafka, randomness: this.parts.randomness, topic, from, each });
    this.#readTo = BigInt(ends[0] ?? '0');
    return new Map(this.#values);
  }
}

const orUnavailable = <Answer>(work: () => Promise<Answer>): Promise<Answer> =>
  work().catch((error: unknown) => {
    throw kafkaUnavailable(error);
  });
