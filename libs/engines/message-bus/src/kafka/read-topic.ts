import type { Admin, Consumer, Kafka, KafkaMessage } from 'kafkajs';

import { backgroundPause, type Randomness } from '#kernel';

import type { TopicReach } from '../message-publisher.js';
import { administer } from './topics.js';

export interface TopicReading {
  readonly kafka: Kafka;
  readonly randomness: Randomness;
  readonly topic: string;
  /** The offsets to begin with. Default, for each partition: its oldest record. */
  readonly from?: TopicReach;
  /** Called with one record of a partition after another, and the number of the partition. */
  readonly each: (record: KafkaMessage, partition: number) => Promise<void>;
  /** Ends the reading, which rejects then. */
  readonly signal?: AbortSignal;
}

/** The offsets of a partition's records, from the first that is wanted to the one after the last. */
interface Extent {
  readonly first: bigint;
  readonly end: bigint;
}

/** Without a record for so long, the reading has failed. Milliseconds. */
const MAX_SILENCE = 30_000;
/** How long leaving the group may take, in milliseconds. */
const LEAVE_TIME = 3_000;

/** Reads a topic to its present ends, with a temporary consumer group. Answers the ends. */
export const readTopic = (reading: TopicReading): Promise<TopicReach> =>
  administer(reading.kafka, async (admin) => {
    const { topic, from = {}, randomness } = reading;
    const ends: Record<string, string> = {};
    const extents = new Map<number, Extent>();
    for (const { partition, low, high } of await admin.fetchTopicOffsets(topic)) {
      ends[partition] = high;
      const first = later(BigInt(from[partition] ?? '0'), BigInt(low));
      if (first < BigInt(high)) extents.set(partition, { first, end: BigInt(high) });
    }
    if (extents.size > 0) await readExtents(admin, reading, extents, `reader.${topic}.${randomness.uuid()}`);
    return ends;
  });

const readExtents = async (
  admin: Admin,
  { kafka, topic, each, signal }: TopicReading,
  extents: ReadonlyMap<number, Extent>,
  groupId: string,
): Promise<void> => {
  const consumer = kafka.consumer({ groupId, allowAutoTopicCreation: false, maxWaitTimeInMs: 200 });
  const open = new Set(extents.keys());
  const read = Promise.withResolvers<void>();
  const abort = (): void => read.reject(signal?.reason as Error);
  signal?.addEventListener('abort', abort);
  const silence = setTimeout(() => read.reject(new Error(`${topic} was not read to its ends`)), MAX_SILENCE);
  consumer.on(consumer.events.CRASH, ({ payload }) => read.reject(payload.error));
  read.promise.catch(() => undefined); // awaited below
  const run = async (): Promise<void> => {
    await consumer.connect();
    await consumer.subscribe({ topics: [topic], fromBeginning: true });
    await consumer.run({
      autoCommit: false,
      eachMessage: async ({ partition, message }) => {
        silence.refresh();
        const extent = extents.get(partition);
        const offset = BigInt(message.offset);
        if (!extent || offset < extent.first) return;
        if (offset < extent.end) await each(message, partition).catch((error: unknown) => read.reject(error));
        if (offset >= extent.end - 1n) open.delete(partition);
        if (open.size === 0) read.resolve();
      },
    });
    seek(consumer, topic, extents);
  };
  try {
    signal?.throwIfAborted();
    await Promise.race([run(), read.promise]);
    await read.promise;
  } finally {
    clearTimeout(silence);
    signal?.removeEventListener('abort', abort);
    const left = consumer.disconnect().then(() => admin.deleteGroups([groupId]));
    // Kafka drops the group later anyway.
    await Promise.race([left.catch(() => undefined), backgroundPause(LEAVE_TIME)]);
  }
};

const seek = (consumer: Consumer, topic: string, extents: ReadonlyMap<number, Extent>): void => {
  for (const [partition, { first }] of extents) consumer.seek({ topic, partition, offset: String(first) });
};

const later = (one: bigint, other: bigint): bigint => (one > other ? one : other);
