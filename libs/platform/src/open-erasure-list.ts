import { join } from 'node:path';

import type { PlatformSettings } from '#config';
import { type ErasureList, FileErasureList, KafkaErasureList } from '#identity';
import type { Randomness } from '#kernel';
import type { Log } from '#telemetry';

import { ERASURES } from './backup/files.js';
import { kafkaSettings } from './kafka-settings.js';

interface Dependencies {
  readonly randomness: Randomness;
  readonly log: Log;
}

/** A topic of Kafka when `KAFKA_BROKERS` is set, which need not be available yet; otherwise a file in `DATA_DIR`. */
export const openErasureList = (settings: PlatformSettings, dependencies: Dependencies): ErasureList => {
  const kafka = kafkaSettings(settings, 'countersign');
  return kafka ? new KafkaErasureList({ ...dependencies, ...kafka }) : new FileErasureList(join(settings.dataDirectory, ERASURES));
};
