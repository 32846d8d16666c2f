import type { PlatformSettings } from '#service/config';
import type { EventStore } from '#engines/event-store';
import type { Clock, Randomness } from '#kernel';
import { EmbeddedMessageBus, KafkaMessageBus, type MessageBus, type RecordMacs } from '#engines/message-bus';
import type { SessionPublication } from '#domain/session';
import type { Log, Metrics } from '#telemetry';
import { deliveryChannel } from '#domain/webhook';

import { kafkaSettings } from './kafka-settings.js';

interface Dependencies {
  /** Consumers begin when it resolves. */
  readonly begin?: Promise<void>;
  readonly macs: RecordMacs;
  readonly eventStore: EventStore;
  readonly publication: SessionPublication;
  readonly clock: Clock;
  readonly randomness: Randomness;
  readonly log: Log;
  readonly metrics: Metrics;
}

/** Kafka when `KAFKA_BROKERS` is set, which need not be available yet; otherwise the bus that reads the event store. */
export const openMessageBus = (settings: PlatformSettings, dependencies: Dependencies): MessageBus => {
  const options = {
    ...dependencies,
    publications: [dependencies.publication],
    channels: [deliveryChannel],
  };
  const kafka = kafkaSettings(settings, 'countersign', dependencies);
  return kafka ? new KafkaMessageBus({ ...options, ...kafka, concurrency: settings.consumerConcurrency }) : new EmbeddedMessageBus(options);
};
