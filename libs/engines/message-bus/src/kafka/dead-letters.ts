import type { IHeaders, Kafka, KafkaMessage, Message } from 'kafkajs';

import type { Clock, Randomness } from '#kernel';

import type { CloudEvent } from '../cloud-event.js';
import type { DeadLetter, Redriven } from '../message-bus.js';
import type { TopicReach } from '../message-publisher.js';
import type { BoundedProducer } from './bounded-producer.js';
import { orUnavailable } from './kafka-unavailable.js';
import { readTopic } from './read-topic.js';
import { asMessage } from './record.js';
import type { RecordMacs } from './record-macs.js';
import { administer, deadLetterTopic, exists } from './topics.js';

export interface DeadLettersParts {
  readonly kafka: Kafka;
  readonly producer: BoundedProducer;
  readonly clock: Clock;
  readonly randomness: Randomness;
  readonly macs: RecordMacs;
}

/** Bytes of a value or a header that are stored: a dead letter must not be too large for its topic. */
const MAX_VALUE = 65_536;
const MAX_HEADER = 1_024;

/** The dead letters of a consumer group: the original records in a topic of their own, with headers that give the reason. */
export class KafkaDeadLetters {
  readonly #topic: string;

  constructor(
    private readonly parts: DeadLettersParts,
    private readonly of: { readonly topic: string; readonly group: string },
  ) {
    this.#topic = deadLetterTopic(of.topic, of.group);
  }

  /** `origin`: see {@link DeadLetter}. Throws ServiceUnavailable. */
  async keep({ key, value, headers = {} }: Pick<Message, 'key' | 'value' | 'headers'>, reason: string, origin: string): Promise<void> {
    const because = { 'dead-letter-reason': reason, 'dead-letter-origin': origin, 'dead-letter-at': String(this.parts.clock.now()) };
    const messages = [{ key: cut(key ?? null, MAX_HEADER), value: cut(value, MAX_VALUE), headers: { ...attributesOf(headers), ...because } }];
    await orUnavailable(this.parts.producer.send({ topic: this.#topic, messages }));
  }

  /** Reads the topic up to its present end, with a temporary consumer group. None where the group has not created it yet. Throws ServiceUnavailable. */
  all(): Promise<readonly DeadLetter[]> {
    return orUnavailable(this.#all());
  }

  /** Writes the letters that wait to the topic again, for their group alone, then notes how far it has come. Throws ServiceUnavailable. */
  redrive(): Promise<Redriven> {
    return orUnavailable(this.#redrive());
  }

  async #all(): Promise<readonly DeadLetter[]> {
    const { kafka, randomness } = this.parts;
    if (!(await this.#isThere())) return [];
    const redriven = BigInt((await this.#redriven())['0'] ?? '0');
    const letters: DeadLetter[] = [];
    const each = async (record: KafkaMessage): Promise<void> => {
      letters.push({ ...letterOf(record), ...(BigInt(record.offset) < redriven && { redriven: true as const }) });
    };
    await readTopic({ kafka, randomness, topic: this.#topic, each });
    return letters;
  }

  async #redrive(): Promise<Redriven> {
    const { kafka, randomness, producer, macs } = this.parts;
    const { topic, group } = this.of;
    if (!(await this.#isThere())) return { redriven: 0, unreadable: 0 };
    const records: KafkaMessage[] = [];
    const ends = await readTopic({
      kafka,
      randomness,
      topic: this.#topic,
      from: await this.#redriven(),
      each: async (record) => void records.push(record),
    });
    const whole = records.filter((record) => readable(record));
    const messages = whole.map(({ key, value, headers = {} }) => macs.redrive({ key, value, headers: attributesOf(headers) }, group));
    if (messages.length > 0) await producer.send({ topic, messages });
    const partitions = Object.entries(ends).map(([partition, offset]) => ({ partition: Number(partition), offset }));
    await administer(kafka, (admin) => admin.setOffsets({ groupId: this.#redriveGroup, topic: this.#topic, partitions }));
    return { redriven: whole.length, unreadable: records.length - whole.length };
  }

  /** The consumers create it: who looks may have no right to, and creates nothing. */
  #isThere(): Promise<boolean> {
    return administer(this.parts.kafka, (admin) => exists(admin, this.#topic));
  }

  /** Up to where the letters were handed over again: the offsets of a consumer group without members. */
  async #redriven(): Promise<TopicReach> {
    const [offsets] = await administer(this.parts.kafka, (admin) => admin.fetchOffsets({ groupId: this.#redriveGroup, topics: [this.#topic] }));
    const known = (offsets?.partitions ?? []).filter(({ offset }) => Number(offset) >= 0);
    return Object.fromEntries(known.map(({ partition, offset }) => [partition, offset]));
  }

  get #redriveGroup(): string {
    return `${this.#topic}.redrive`;
  }
}

const cut = (value: Buffer | string | null, bytes: number): Buffer | null => (value === null ? null : Buffer.from(value).subarray(0, bytes));

const attributesOf = (headers: IHeaders): IHeaders => {
  const kept = Object.entries(headers).filter(([name, value]) => /^(ce_[a-z0-9]{1,20}|content-type|mac)$/.test(name) && !Array.isArray(value));
  return Object.fromEntries(kept.slice(0, 20).map(([name, value]) => [name, cut(value as Buffer | string, MAX_HEADER) ?? '']));
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
