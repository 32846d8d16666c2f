import { join } from 'node:path';

import type { PlatformSettings } from '#config';
import { type ErasureList, FileErasureList, KafkaErasureList } from '#identity';
import type { Randomness } from '#kernel';
import type { Log } from '#telemetry';

interface Dependencies {
  readonly randomness: Randomness;
  readonly log: Log;
}

/** A topic of Kafka when `KAFKA_BROKERS` is set, which need not be available yet; otherwise a file in `DATA_DIR`. */
export const openErasureList = ({ kafkaBrokers, dataDirectory }: PlatformSettings, dependencies: Dependencies): ErasureList =>
  kafkaBrokers
    ? new KafkaErasureList({ ...dependencies, brokers: kafkaBrokers, clientId: 'countersign' })
    : new FileErasureList(join(dataDirectory, 'erasures.jsonl'));
