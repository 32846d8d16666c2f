import type { IHeaders, Kafka, KafkaMessage, Message, Producer } from 'kafkajs';

import type { Clock, Randomness } from '#kernel';

import type { CloudEvent } from '../cloud-event.js';
import type { DeadLetter } from '../message-bus.js';
import { asMessage } from './record.js';
import { administer, deadLetterTopic, deadLetterTopicConfig, ensureTopics } from './topics.js';

export interface DeadLettersParts {
  readonly kafka: Kafka;
  readonly producer: () => Promise<Producer>;
  readonly clock: Clock;
  readonly randomness: Randomness;
}

/** What is kept of a value or a header, in bytes: a dead letter must never be too large to be kept itself. */
const KEPT_VALUE = 65_536;
const KEPT_HEADER = 1_024;

/** The dead letters of a consumer group: the records as they came, in a topic of their own, with headers that say why. */
export class DeadLetters {
  readonly #topic: string;

  constructor(
    private readonly parts: DeadLettersParts,
    private readonly of: { readonly topic: string; readonly group: string },
  ) {
    this.#topic = deadLetterTopic(of.topic, of.group);
  }

  /** `origin` says where it lay. */
  async keep({ key, value, headers = {} }: Pick<Message, 'key' | 'value' | 'headers'>, reason: string, origin: string): Promise<void> {
    const producer = await this.parts.producer();
    const because = { 'dead-letter-reason': reason, 'dead-letter-origin': origin, 'dead-letter-at': String(this.parts.clock.now()) };
    await producer.send({
      topic: this.#topic,
      acks: -1,
      messages: [{ key: cut(key ?? null, KEPT_HEADER), value: cut(value, KEPT_VALUE), headers: { ...attributesOf(headers), ...because } }],
    });
  }

  /** Reads the topic up to its present end, with a consumer group that lives for that long. */
  all(): Promise<readonly DeadLetter[]> {
    return administer(this.parts.kafka, async (admin) => {
      await ensureTopics(admin, [deadLetterTopicConfig(this.of.topic, this.of.group)]);
      const [extent] = await admin.fetchTopicOffsets(this.#topic);
      if (!extent || BigInt(extent.high) <= BigInt(extent.low)) return [];
      const groupId = `${this.#topic}.reader.${this.parts.randomness.uuid()}`;
      const letters = await this.#readTo(BigInt(extent.high) - 1n, groupId);
      await admin.deleteGroups([groupId]).catch(() => undefined); // it expires by itself
      return letters;
    });
  }

  async #readTo(last: bigint, groupId: string): Promise<readonly DeadLetter[]> {
    const consumer = this.parts.kafka.consumer({ groupId, allowAutoTopicCreation: false, maxWaitTimeInMs: 200 });
    const letters: DeadLetter[] = [];
    const read = Promise.withResolvers<void>();
    consumer.on(consumer.events.CRASH, ({ payload }) => read.reject(payload.error));
    try {
      await consumer.connect();
      await consumer.subscribe({ topics: [this.#topic], fromBeginning: true });
      await consumer.run({
        autoCommit: false,
        eachMessage: async ({ message }) => {
          if (BigInt(message.offset) <= last) letters.push(letterOf(message));
          if (BigInt(message.offset) >= last) read.resolve();
        },
      });
      await read.promise;
    } finally {
      await consumer.disconnect();
    }
    return letters;
  }
}

const cut = (value: Buffer | string | null, bytes: number): Buffer | null => (value === null ? null : Buffer.from(value).subarray(0, bytes));

const attributesOf = (headers: IHeaders): IHeaders => {
  const kept = Object.entries(headers).filter(([name, value]) => /^(ce_[a-z0-9]{1,20}|content-type)$/.test(name) && !Array.isArray(value));
  return Object.fromEntries(kept.slice(0, 20).map(([name, value]) => [name, cut(value as Buffer | string, KEPT_HEADER) ?? '']));
};

const letterOf = (record: KafkaMessage): DeadLetter => {
  const header = (name: string): string => record.headers?.[`dead-letter-${name}`]?.toString() ?? '';
  const message = readable(record);
  return { reason: header('reason'), at: Number(header('at')), origin: header('origin'), ...(message && { message }) };
};

const readable = (record: KafkaMessage): CloudEvent | undefined => {
  try {
    return asMessage(record);
  } catch {
    return undefined;
  }
};
