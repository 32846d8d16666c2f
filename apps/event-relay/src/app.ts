import { KafkaPublisher } from '#engines/message-bus';
import { kafkaSettings, openAuditForwarding, openCheckpointWriter, openMarkWriter, type Platform } from '#service/platform';

import { EventRelay } from './event-relay.js';
import { relayTimes } from './relay-times.js';

export interface RunningEventRelay {
  /** For the readiness probe: resolves while the relay is active or on standby. */
  check(): Promise<void>;
  /** Call it after `platform.stop()`: resolves when the relay has ended and its lease is released. */
  close(): Promise<void>;
}

/** Publishes the events of all sessions to the Kafka of `KAFKA_BROKERS`, until the platform stops. */
export const startEventRelay = (platform: Platform): RunningEventRelay => {
  const { settings, log, stopping } = platform;
  const kafka = kafkaSettings(settings, 'event-relay', platform);
  if (!kafka) throw new TypeError('the event relay needs KAFKA_BROKERS');
  const publisher = new KafkaPublisher({ ...kafka, macs: platform.recordMacs }, log, platform.randomness);
  const dependencies = {
    ...platform,
    publisher,
    markWriter: openMarkWriter(platform),
    checkpoints: openCheckpointWriter(platform),
    auditForwarding: openAuditForwarding(platform),
  };
  const horizon = settings.relayRefillHorizon ?? settings.kafkaRetentionHours * 3_600;
  const relay = new EventRelay(dependencies, relayTimes({ lease: settings.relayLease * 1_000, horizon: horizon * 1_000 }));
  const running = relay.run(stopping);
  return {
    check: () => relay.check(),
    close: async () => {
      await running;
      await publisher.close();
    },
  };
};
