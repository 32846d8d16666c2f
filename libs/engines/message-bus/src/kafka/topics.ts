import type { Admin, ConfigResourceTypes, ITopicConfig, Kafka } from 'kafkajs';

import { ServiceUnavailable } from '#kernel';
import type { Log } from '#telemetry';

/** The settings of new topics. An existing topic keeps its partitions and replicas. */
export interface TopicSettings {
  /** Of a topic of events. */
  readonly partitions: number;
  /** Copies of each topic. Default: as many as there are brokers, three at most. */
  readonly replication?: number;
  /** How long events are kept, in hours. It must be longer than any consumer may be down; older events can be read from the event store. */
  readonly retentionHours: number;
}

export const TOPIC_DEFAULTS: TopicSettings = { partitions: 6, retentionHours: 7 * 24 };

/** A topic that does not fit the settings. The message names the remedy. */
export class TopicRefused extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'TopicRefused';
  }
}

/**
 * There is no such topic. Only the event relay creates a topic of stored events: if a consumer did, a lost topic would be there again before the relay
 * has noticed the loss, and a session could begin on it with a later event.
 */
export class TopicMissing extends ServiceUnavailable {
  constructor(topic: string) {
    super(`the topic ${topic} does not exist, and the event relay has to create it`);
  }
}

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const RETENTION = 'retention.ms';
const COMPACTION = { name: 'cleanup.policy', value: 'compact' };

export const eventTopic = (topic: string, { partitions, retentionHours }: TopicSettings): ITopicConfig => ({
  topic,
  numPartitions: partitions,
  configEntries: [{ name: RETENTION, value: String(retentionHours * HOUR) }],
});

export const deadLetterTopic = (topic: string, group: string): string => `${topic}.${group}.dead-letters`;

export const deadLetterTopicConfig = (topic: string, group: string): ITopicConfig => ({
  topic: deadLetterTopic(topic, group),
  numPartitions: 1,
  configEntries: [{ name: RETENTION, value: String(30 * DAY) }],
});

/** The newest record of each key is kept for ever. One partition, so that a reading has one order. */
const compactedTopic = (topic: string): ITopicConfig => ({
  topic,
  numPartitions: 1,
  configEntries: [COMPACTION],
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

/** Creates the missing topics. A message counts when a majority of the replicas holds it. Throws {@link TopicRefused} for more replicas than brokers. */
export const ensureTopics = async (admin: Admin, topics: readonly ITopicConfig[], { replication }: TopicSettings): Promise<void> => {
  const existing = new Set(await admin.listTopics());
  const missing = topics.filter(({ topic }) => !existing.has(topic));
  if (missing.length === 0) return;
  const { brokers } = await admin.describeCluster();
  if (replication !== undefined && replication > brokers.length) {
    throw new TopicRefused(
      `KAFKA_REPLICATION is ${replication}, and the cluster has ${brokers.length} brokers: start more brokers, or set KAFKA_REPLICATION to ${brokers.length} at most`,
    );
  }
  const replicationFactor = replication ?? Math.min(3, brokers.length);
  const inSync = { name: 'min.insync.replicas', value: String(Math.floor(replicationFactor / 2) + 1) };
  await admin.createTopics({
    waitForLeaders: true,
    topics: missing.map((topic) => ({ ...topic, replicationFactor, configEntries: [...(topic.configEntries ?? []), inSync] })),
  });
};

export const exists = async (admin: Admin, topic: string): Promise<boolean> => (await admin.listTopics()).includes(topic);

/** Creates a topic of events, or compares the one that exists with the settings, like {@link existingEventTopic}. */
export const ensureEventTopic = async (admin: Admin, topic: string, settings: TopicSettings, log: Log): Promise<number> => {
  await ensureTopics(admin, [eventTopic(topic, settings)], settings);
  return compare(admin, topic, settings, log);
};

/**
 * Compares a topic of events with the settings. Answers how many partitions it has. Throws {@link TopicMissing}, and {@link TopicRefused} when it has
 * more partitions than the settings say.
 */
export const existingEventTopic = async (admin: Admin, topic: string, settings: TopicSettings, log: Log): Promise<number> => {
  if (!(await exists(admin, topic))) throw new TopicMissing(topic);
  return compare(admin, topic, settings, log);
};

/** Creates the topics that a group of consumers may create, and compares the consumed one like {@link existingEventTopic}. */
export const prepareToConsume = async (
  admin: Admin,
  { topic, group, isRelayed }: { readonly topic: string; readonly group: string; readonly isRelayed: boolean },
  settings: TopicSettings,
  log: Log,
): Promise<number> => {
  const partitions = await (isRelayed ? existingEventTopic : ensureEventTopic)(admin, topic, settings, log);
  await ensureTopics(admin, [deadLetterTopicConfig(topic, group)], settings);
  return partitions;
};

const compare = async (admin: Admin, topic: string, settings: TopicSettings, log: Log): Promise<number> => {
  const { topics } = await admin.fetchTopicMetadata({ topics: [topic] });
  const partitions = topics[0]?.partitions ?? [];
  if (partitions.length > settings.partitions) {
    throw new TopicRefused(
      `KAFKA_PARTITIONS is ${settings.partitions}, and ${topic} has ${partitions.length} partitions, which cannot be removed: set KAFKA_PARTITIONS to ${partitions.length}, or stop all services, delete the topic and start them, so that the event relay fills it again`,
    );
  }
  if (partitions.length < settings.partitions) {
    log.warn('a topic has fewer partitions than KAFKA_PARTITIONS says and is used as it is', {
      component: 'kafka',
      reason: `${topic}: ${partitions.length} instead of ${settings.partitions}; docs/operator.md says how to add partitions`,
    });
  }
  const replicas = Math.min(...partitions.map(({ replicas: { length } }) => length));
  if (settings.replication !== undefined && replicas < settings.replication) {
    log.warn('a topic has fewer replicas than KAFKA_REPLICATION says and is used as it is', {
      component: 'kafka',
      reason: `${topic}: ${replicas} instead of ${settings.replication}; add replicas with kafka-reassign-partitions.sh`,
    });
  }
  return partitions.length;
};

/** The kind of a topic among resources, and the source of a configuration entry that was set for the topic itself. */
const TOPIC: ConfigResourceTypes.TOPIC = 2;
const SET_FOR_TOPIC = 1;

/** Brings the retention of an existing topic of events to that of the settings, and leaves its other configuration alone. */
export const ensureRetention = (admin: Admin, topic: string, { retentionHours }: TopicSettings): Promise<void> =>
  ensureEntry(admin, topic, { name: RETENTION, value: String(retentionHours * HOUR) });

/**
 * Creates a missing topic that keeps the newest record of each key. One that another program has made, such as a broker for a producer, would lose its records
 * after a week: its policy is changed.
 */
export const ensureCompactedTopic = async (admin: Admin, topic: string, settings: TopicSettings): Promise<void> => {
  await ensureTopics(admin, [compactedTopic(topic)], settings);
  await ensureEntry(admin, topic, COMPACTION);
};

const ensureEntry = async (admin: Admin, topic: string, wanted: { readonly name: string; readonly value: string }): Promise<void> => {
  const of = { type: TOPIC, name: topic };
  const { resources } = await admin.describeConfigs({ resources: [of], includeSynonyms: false });
  const entries = resources[0]?.configEntries ?? [];
  if (entries.some((entry) => entry.configName === wanted.name && entry.configValue === wanted.value)) return;
  // This call replaces all that was set for the topic.
  const others = entries.filter((entry) => Number(entry.configSource) === SET_FOR_TOPIC && entry.configName !== wanted.name);
  const configEntries = [wanted, ...others.map((entry) => ({ name: entry.configName, value: entry.configValue }))];
  await admin.alterConfigs({ validateOnly: false, resources: [{ ...of, configEntries }] });
};
