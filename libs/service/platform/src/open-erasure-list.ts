import { join } from 'node:path';

import { isInMemory, type PlatformSettings } from '#service/config';
import {
  AuthenticatedErasureList,
  type ErasureLines,
  type ErasureList,
  ErasureMacs,
  FileErasureLines,
  KafkaErasureLines,
  MemoryErasureLines,
} from '#domain/identity';
import type { Clock, KeyRing, Randomness } from '#kernel';
import type { Log, Metrics } from '#telemetry';

import { ERASURES } from './backup/files.js';
import { kafkaSettings } from './kafka-settings.js';

interface Dependencies {
  readonly randomness: Randomness;
  readonly log: Log;
  readonly clock: Clock;
  readonly metrics: Metrics;
}

/** The lines as they stand, whoever has written them: on a topic of Kafka when `KAFKA_BROKERS` is set, which need not be available yet; otherwise in a file in `DATA_DIR`. */
export const openErasureLines = (settings: PlatformSettings, dependencies: Dependencies): ErasureLines => {
  const { randomness, log } = dependencies;
  const kafka = kafkaSettings(settings, 'countersign', dependencies);
  if (kafka) return new KafkaErasureLines({ randomness, log, ...kafka });
  return isInMemory(settings.dataDirectory) ? new MemoryErasureLines() : new FileErasureLines(join(settings.dataDirectory, ERASURES));
};

/** The persons whom services with these keys have listed. */
export const openErasureList = (
  settings: PlatformSettings,
  { eventKeys, ...dependencies }: Dependencies & { readonly eventKeys: KeyRing },
): ErasureList => new AuthenticatedErasureList(openErasureLines(settings, dependencies), new ErasureMacs(eventKeys, settings.environment));
