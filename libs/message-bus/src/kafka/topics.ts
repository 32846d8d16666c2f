import type { Admin, ITopicConfig, Kafka } from 'kafkajs';

/** Never change it: with another number of partitions keys would move to other ones, and the events of a session lose their order. */
export const PARTITIONS = 6;

const DAY = 86_400_000;

/** Seven days: longer than any consumer may be down. Older events can be read from the event store. */
export const eventTopic = (topic: string): ITopicConfig => ({
  topic,
  numPartitions: PARTITIONS,
  configEntries: [{ name: 'retention.ms', value: String(7 * DAY) }],
});

export const deadLetterTopic = (topic: string, group: string): string => `${topic}.${group}.dead-letters`;

export const deadLetterTopicConfig = (topic: string, group: string): ITopicConfig => ({
  topic: deadLetterTopic(topic, group),
  numPartitions: 1,
  configEntries: [{ name: 'retention.ms', value: String(30 * DAY) }],
});

/** The newest record of each key is kept for ever. One partition, so that a reading has one order. */
export const compactedTopic = (topic: string): ITopicConfig => ({
  topic,
  numPartitions: 1,
  configEntries: [{ name: 'cleanup.policy', value: 'compact' }],
});

/** Uses a new client each time: once a client has asked for a topic, all its calls fail when that topic is gone. */
export const administer = async <Answer>(kafka: Kafka, work: (admin: Admin) => Promise<Answer>): Promise<Answer> => {
  const admin = kafka.admin();
  try {
    await admin.connect();
    return await work(admin);
  } finally {
    await admin.disconnect();
  }
};

/** Creates the missing topics, with up to three replicas. A message counts when a majority of them holds it. */
export const ensureTopics = async (admin: Admin, topics: readonly ITopicConfig[]): Promise<void> => {
  const existing = new Set(await admin.listTopics());
  const missing = topics.filter(({ topic }) => !existing.has(topic));
  if (missing.length === 0) return;
  const { brokers } = await admin.describeCluster();
  const replicationFactor = Math.min(3, brokers.length);
  const inSync = { name: 'min.insync.replicas', value: String(Math.min(2, replicationFactor)) };
  await admin.createTopics({
    waitForLeaders: true,
    topics: missing.map((topic) => ({ ...topic, replicationFactor, configEntries: [...(topic.configEntries ?? []), inSync] })),
  });
};
