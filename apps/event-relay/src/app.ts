import { KafkaPublisher } from '#message-bus';
import type { Platform } from '#platform';
import { SessionPublication } from '#session';

import { EventRelay } from './event-relay.js';

export interface RunningEventRelay {
  /** After `platform.stop()`: resolves when the lease is released and nothing is under way. */
  close(): Promise<void>;
}

/** Brings the events of all sessions to the Kafka of the settings, until the platform stops. */
export const startEventRelay = (platform: Platform): RunningEventRelay => {
  const { settings, log, readiness, stopping } = platform;
  if (!settings.kafkaBrokers) throw new TypeError('there is no Kafka to bring events to');
  const publisher = new KafkaPublisher({ brokers: settings.kafkaBrokers, clientId: 'event-relay' }, log);
  const relay = new EventRelay({ ...platform, publication: new SessionPublication(platform.eventStore), publisher });
  const running = relay.run(stopping);
  readiness.set('event-relay', () => relay.check());
  return {
    close: async () => {
      await running;
      await publisher.close();
    },
  };
};
