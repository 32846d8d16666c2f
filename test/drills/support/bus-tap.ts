import { randomUUID } from 'node:crypto';

import type { Admin, Kafka, KafkaMessage } from 'kafkajs';

import { pause } from '../../support/index.js';
import { kafkaClient } from './kafka-client.js';

/** A record as it lies on a topic. */
export interface Tapped {
  readonly topic: string;
  readonly partition: number;
  /** The session. */
  readonly key: string;
  /** Of the event: the same over repetitions. */
  readonly id: string;
  readonly type: string;
  readonly revision: number;
  /** Headers and body: equal in repetitions, and searched for secrets. The files of a broker hold it compressed. */
  readonly content: string;
}

export const SESSION_EVENTS = 'sessions.events.v1';

/** Milliseconds; a busy machine needs half a minute to join a group and to read a thousand records. */
const TIME_LIMIT = 240_000;
const PAUSE = 250;

/**
 * Reads the records on the topics, from the first to the last. It does not follow the topics: a record that a broker acknowledged and
 * then lost must be missing here, also if a consumer saw it once.
 */
export class BusTap {
  readonly #kafka: Kafka;
  readonly #kept: Tapped[] = [];
  /** The offsets of the first records to be read, by `topic/partition`; of a partition without one, all records are read. */
  #begins: ReadonlyMap<string, bigint> = new Map();

  constructor(brokers: readonly string[]) {
    this.#kafka = kafkaClient(brokers, { clientId: 'tap', retry: { restartOnFailure: async () => false } });
  }

  /** The records of the topics, partition after partition, each in its order; default: of the sessions' events. Waits while brokers are down. */
  async read(topics: readonly string[] = [SESSION_EVENTS]): Promise<readonly Tapped[]> {
    const present = await this.#retrying(() => this.#read(topics));
    return [...this.#kept.filter(({ topic }) => topics.includes(topic)), ...present];
  }

  /** Leaves out the present records of the topics, on a Kafka that other files have used before. */
  async beginHere(): Promise<void> {
    const topics = await this.topics();
    this.#begins = await this.#retrying(() => this.#administer((admin) => endsOf(admin, topics)));
  }

  /** Keeps the present records before the topics are lost; later reads return them first. */
  async keep(): Promise<void> {
    this.#kept.push(...(await this.#retrying(() => this.#read([SESSION_EVENTS]))));
  }

  /** Every topic but Kafka's own. */
  async topics(): Promise<readonly string[]> {
    const all = await this.#retrying(() => this.#administer((admin) => admin.listTopics()));
    return all.filter((topic) => !topic.startsWith('__'));
  }

  /** How many records the sessions' topic has ever had. Waits while brokers are down. */
  async written(): Promise<number> {
    const ends = await this.#retrying(() => this.#administer((admin) => admin.fetchTopicOffsets(SESSION_EVENTS)));
    return ends.reduce((sum, { high }) => sum + Number(high), 0);
  }

  /** How many records of the sessions' topic each consumer group of the services has not read yet. Waits while brokers are down. */
  async backlogs(): Promise<ReadonlyMap<string, number>> {
    const work = async (admin: Admin): Promise<ReadonlyMap<string, number>> => {
      const extents = await admin.fetchTopicOffsets(SESSION_EVENTS);
      const { groups } = await admin.listGroups();
      const backlogs = new Map<string, number>();
      for (const { groupId } of groups.filter((group) => group.groupId.startsWith(`${SESSION_EVENTS}.`))) {
        const [committed] = await admin.fetchOffsets({ groupId, topics: [SESSION_EVENTS] });
        const done = new Map(committed?.partitions.map(({ partition, offset }) => [partition, Math.max(0, Number(offset))]));
        backlogs.set(
          groupId,
          extents.reduce((sum, { partition, high }) => sum + Number(high) - (done.get(partition) ?? 0), 0),
        );
      }
      return backlogs;
    };
    return this.#retrying(() => this.#administer(work));
  }

  async #read(topics: readonly string[]): Promise<readonly Tapped[]> {
    const ends = await this.#administer((admin) => endsOf(admin, topics, this.#begins));
    if (ends.size === 0) return [];
    const records: (Tapped & { readonly offset: bigint })[] = [];
    const done = Promise.withResolvers<void>();
    const consumer = this.#kafka.consumer({ groupId: `tap.${randomUUID()}`, allowAutoTopicCreation: false, maxWaitTimeInMs: 200 });
    consumer.on(consumer.events.CRASH, ({ payload }) => done.reject(payload.error));
    const timer = setTimeout(() => done.reject(new Error('the topics were not read to their ends')), TIME_LIMIT / 2);
    try {
      await consumer.connect();
      await consumer.subscribe({ topics: [...topics], fromBeginning: true });
      await consumer.run({
        autoCommit: false,
        eachMessage: async ({ topic, partition, message }) => {
          const name = `${topic}/${partition}`;
          const end = ends.get(name);
          if (end === undefined) return;
          const offset = BigInt(message.offset);
          if (offset >= (this.#begins.get(name) ?? 0n)) records.push({ ...tapped(topic, partition, message), offset });
          if (offset < end - 1n) return;
          ends.delete(name);
          if (ends.size === 0) done.resolve();
        },
      });
      await done.promise;
    } finally {
      clearTimeout(timer);
      await consumer.disconnect();
    }
    return records.sort((a, b) => a.topic.localeCompare(b.topic) || a.partition - b.partition || Number(a.offset - b.offset));
  }

  async #administer<Answer>(work: (admin: Admin) => Promise<Answer>): Promise<Answer> {
    const admin = this.#kafka.admin();
    try {
      await admin.connect();
      return await work(admin);
    } finally {
      await admin.disconnect();
    }
  }

  async #retrying<Answer>(work: () => Promise<Answer>): Promise<Answer> {
    for (const giveUpAt = performance.now() + TIME_LIMIT; ; await pause(PAUSE)) {
      try {
        return await work();
      } catch (error) {
        if (performance.now() > giveUpAt) throw error;
      }
    }
  }
}

/** The offsets after the last records, of the partitions that hold any from the given offsets on. */
const endsOf = async (admin: Admin, topics: readonly string[], begins: ReadonlyMap<string, bigint> = new Map()): Promise<Map<string, bigint>> => {
  const ends = new Map<string, bigint>();
  for (const topic of topics) {
    for (const { partition, low, high } of await admin.fetchTopicOffsets(topic)) {
      const name = `${topic}/${partition}`;
      const begin = begins.get(name) ?? 0n;
      if (BigInt(high) > BigInt(low) && BigInt(high) > begin) ends.set(name, BigInt(high));
    }
  }
  return ends;
};

const tapped = (topic: string, partition: number, { key, value, headers = {} }: KafkaMessage): Tapped => {
  const texts = Object.entries(headers).map(([name, header]): [string, string] => [name, String(header)]);
  const { ce_id: id = '', ce_type: type = '', ce_esrevision: revision } = Object.fromEntries(texts);
  const content = [...texts.map((pair) => pair.join(': ')).sort(), String(value)].join('\n');
  return { topic, partition, key: String(key), id, type, revision: Number(revision), content };
};
