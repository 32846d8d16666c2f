import type { Admin, ITopicConfig, Kafka } from 'kafkajs';

/** A topic's partitions are for ever: with another number the keys would move, and a session lose its order. */
export const PARTITIONS = 6;

const DAY = 86_400_000;

/** Seven days: longer than any consumer may be away. What is older is in the event store. */
export const eventTopic = (topic: string): ITopicConfig => ({ topic, numPartitions: PARTITIONS, configEntries: [{ name: 'retention.ms', value: String(7 * DAY) }] });

export const deadLetterTopic = (topic: string, group: string): string => `${topic}.${group}.dead-letters`;

export const deadLetterTopicConfig = (topic: string, group: string): ITopicConfig => ({
  topic: deadLetterTopic(topic, group),
  numPartitions: 1,
  configEntries: [{ name: 'retention.ms', value: String(30 * DAY) }],
});

/** With a client for this once: one that has ever asked for a topic cannot do anything when that topic is gone. */
export const administer = async <Answer>(kafka: Kafka, work: (admin: Admin) => Promise<Answer>): Promise<Answer> => {
  const admin = kafka.admin();
  try {
    await admin.connect();
    return await work(admin);
  } finally {
    await admin.disconnect();
  }
};

/** Makes the topics that are not there, on up to three brokers; a majority of them must hold a message before it counts. */
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
