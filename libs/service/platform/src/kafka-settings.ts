import type { PlatformSettings } from '#service/config';
import type { KafkaSettings } from '#engines/message-bus';

import { EngineCalls } from '#telemetry';

import { kafkaAccess, type Measurement } from './engine-access.js';

/** The Kafka of `KAFKA_BROKERS`, for a client of that name; undefined without one. */
export const kafkaSettings = (settings: PlatformSettings, clientId: string, measurement?: Measurement): KafkaSettings | undefined => {
  const { kafkaBrokers: brokers, kafkaPartitions: partitions, kafkaReplication: replication, kafkaRetentionHours: retentionHours } = settings;
  return (
    brokers && {
      brokers,
      clientId,
      access: kafkaAccess(settings),
      calls: measurement && new EngineCalls('kafka', measurement),
      topics: { partitions, retentionHours, ...(replication !== undefined && { replication }) },
    }
  );
};
