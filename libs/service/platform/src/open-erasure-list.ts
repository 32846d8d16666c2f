import { join } from 'node:path';

import type { PlatformSettings } from '#service/config';
import { type ErasureList, FileErasureList, KafkaErasureList } from '#domain/identity';
import type { Clock, Randomness } from '#kernel';
import type { Log, Metrics } from '#telemetry';

import { ERASURES } from './backup/files.js';
import { kafkaSettings } from './kafka-settings.js';

interface Dependencies {
  readonly randomness: Randomness;
  readonly log: Log;
  readonly clock: Clock;
  readonly metrics: Metrics;
}

/** A topic of Kafka when `KAFKA_BROKERS` is set, which need not be available yet; otherwise a file in `DATA_DIR`. */
export const openErasureList = (settings: PlatformSettings, dependencies: Dependencies): ErasureList => {
  const { randomness, log } = dependencies;
  const kafka = kafkaSettings(settings, 'countersign', dependencies);
  return kafka ? new KafkaErasureList({ randomness, log, ...kafka }) : new FileErasureList(join(settings.dataDirectory, ERASURES));
};
