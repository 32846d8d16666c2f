import { KafkaPublisher } from '#message-bus';
import type { Platform } from '#platform';
import { SessionPublication } from '#session';

import { EventRelay, RELAY_TIMES } from './event-relay.js';

export interface RunningEventRelay {
  /** For the readiness probe: resolves while it relays or stands by. */
  check(): Promise<void>;
  /** After `platform.stop()`: resolves when the lease is released and nothing is under way. */
  close(): Promise<void>;
}

/** Brings the events of all sessions to the Kafka of the settings, until the platform stops. */
export const startEventRelay = (platform: Platform): RunningEventRelay => {
  const { settings, log, stopping } = platform;
  if (!settings.kafkaBrokers) throw new TypeError('there is no Kafka to bring events to');
  const publisher = new KafkaPublisher({ brokers: settings.kafkaBrokers, clientId: 'event-relay' }, log);
  const parts = { ...platform, publication: new SessionPublication(platform.eventStore), publisher };
  const relay = new EventRelay(parts, { ...RELAY_TIMES, lease: settings.relayLease * 1_000 });
  const running = relay.run(stopping);
  return {
    check: () => relay.check(),
    close: async () => {
      await running;
      await publisher.close();
    },
  };
};
