import type { PlatformSettings } from '#config';
import type { EventStore } from '#event-store';
import type { Clock, Randomness } from '#kernel';
import { EmbeddedMessageBus, KafkaMessageBus, type MessageBus } from '#message-bus';
import { SessionPublication } from '#session';
import type { Log, Metrics } from '#telemetry';

interface Surroundings {
  readonly eventStore: EventStore;
  readonly clock: Clock;
  readonly randomness: Randomness;
  readonly log: Log;
  readonly metrics: Metrics;
}

/** Kafka where `KAFKA_BROKERS` names one, which need not be up yet; otherwise the store itself. */
export const openMessageBus = ({ kafkaBrokers }: PlatformSettings, surroundings: Surroundings): MessageBus => {
  const parts = { ...surroundings, publications: [new SessionPublication(surroundings.eventStore)] };
  return kafkaBrokers ? new KafkaMessageBus({ ...parts, brokers: kafkaBrokers, clientId: 'countersign' }) : new EmbeddedMessageBus(parts);
};
