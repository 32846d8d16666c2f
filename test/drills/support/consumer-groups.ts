import { readFile } from 'node:fs/promises';

import { eventually } from '#testkit/kernel/eventually';
import type { Admin, Kafka } from 'kafkajs';

import type { ServiceProcess } from '../../../testkit/processes/service-process.ts';
import { SESSION_EVENTS } from './bus-tap.js';
import { kafkaClient } from './kafka-client.js';

/** The consumer groups of session events, and the service of each. */
export const GROUPS: Readonly<Record<string, string>> = {
  timers: 'timers',
  'session-status': 'timers',
  signing: 'signing',
  webhooks: 'webhook-dispatcher',
};

export const deadLetterTopic = (group: string): string => `${SESSION_EVENTS}.${group}.dead-letters`;

/** The offsets of the consumer groups, as the broker knows them. */
export class ConsumerGroups {
  readonly #kafka: Kafka;

  constructor(brokers: readonly string[]) {
    this.#kafka = kafkaClient(brokers);
  }

  /** The partitions that a group has not read to their ends: `partition 3: 17 of 20`. */
  behind(group: string): Promise<string[]> {
    return this.#administer(async (admin) => {
      const [committed] = await admin.fetchOffsets({ groupId: `${SESSION_EVENTS}.${group}`, topics: [SESSION_EVENTS] });
      const at = new Map(committed?.partitions.map(({ partition, offset }) => [partition, Math.max(0, Number(offset))]));
      const ends = await admin.fetchTopicOffsets(SESSION_EVENTS);
      return ends.flatMap(({ partition, high }) =>
        (at.get(partition) ?? 0) < Number(high) ? [`partition ${partition}: ${at.get(partition) ?? 0} of ${high}`] : [],
      );
    });
  }

  /** All groups have read everything that is there now. */
  async haveReadAll(): Promise<boolean> {
    for (const group of Object.keys(GROUPS)) if ((await this.behind(group)).length > 0) return false;
    return true;
  }

  /** Puts records on the events' topic as they are. */
  async write(
    records: readonly {
      readonly partition: number;
      readonly key: string;
      readonly value: string | null;
      readonly headers: Readonly<Record<string, string>>;
    }[],
  ): Promise<void> {
    const producer = this.#kafka.producer({ allowAutoTopicCreation: false });
    await producer.connect();
    try {
      // One by one: together they would be more than a broker takes at once.
      for (const { headers, ...record } of records)
        await producer.send({ topic: SESSION_EVENTS, messages: [{ ...record, headers: { ...headers } }] });
    } finally {
      await producer.disconnect();
    }
  }

  async #administer<Answer>(work: (admin: Admin) => Promise<Answer>): Promise<Answer> {
    const admin = this.#kafka.admin();
    await admin.connect();
    try {
      return await work(admin);
    } finally {
      await admin.disconnect();
    }
  }
}

/** A counter over all replicas that run: the sum of the samples whose name and labels contain all of these words. */
export const counted = async (replicas: readonly ServiceProcess[], ...words: readonly string[]): Promise<number> => {
  const texts = await Promise.all(replicas.map(async ({ url }) => (await fetch(`${url}/metrics`, { headers: { connection: 'close' } })).text()));
  return texts
    .flatMap((text) => text.split('\n'))
    .filter((line) => !line.startsWith('#') && words.every((word) => line.includes(word)))
    .reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0);
};

/** The longest that a log line waits for the next flush on a busy machine, in milliseconds. */
const FLUSHED_WITHIN = 60_000;

/** Waits until these replicas' logs have so many lines that contain all of these words. A service writes its lines a moment after it has counted what they tell. */
export const untilLogged = async (replicas: readonly ServiceProcess[], words: readonly string[], lines = 1): Promise<void> => {
  const logged = async (): Promise<number> => {
    const texts = await Promise.all(replicas.map(({ log }) => readFile(log, 'utf8')));
    return texts.flatMap((text) => text.split('\n')).filter((line) => words.every((word) => line.includes(word))).length;
  };
  await eventually(async () => (await logged()) >= lines, { what: `${lines} log lines with ${words.join(', ')}`, within: FLUSHED_WITHIN });
};
