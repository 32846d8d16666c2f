import { Kafka, logLevel } from 'kafkajs';

import { explainRefusal } from '#engines/access';
import type { EngineCalls, Log } from '#telemetry';

import { accessOptions, type KafkaAccess } from './kafka-access.js';
import './timer-patch.js';
import type { TopicSettings } from './topics.js';

export interface KafkaSettings {
  /** `host:port` */
  readonly brokers: readonly string[];
  /** The name of this process in the brokers' logs and quotas. */
  readonly clientId: string;
  /** Default: no TLS, no user. */
  readonly access?: KafkaAccess;
  /** Default: {@link TOPIC_DEFAULTS}. */
  readonly topics?: TopicSettings;
  /** Measures the calls. */
  readonly calls?: EngineCalls | undefined;
}

/** Retries within one call, for some seconds; then the caller decides. Written out, because the library's defaults depend on NODE_ENV. */
const RETRY = { initialRetryTime: 100, factor: 0.2, multiplier: 2, maxRetryTime: 1_000, retries: 5 };

export const kafkaClient = ({ brokers, clientId, access }: KafkaSettings, log: Log): Kafka =>
  new Kafka({
    clientId,
    brokers: [...brokers],
    ...accessOptions(access),
    connectionTimeout: 3_000,
    requestTimeout: 15_000,
    enforceRequestTimeout: true,
    // KafkaConsumer restarts itself.
    retry: { ...RETRY, restartOnFailure: async () => false },
    logLevel: logLevel.WARN,
    // Lost connections and rebalances are normal, although the library logs them as errors.
    logCreator:
      () =>
      ({ namespace: component, log: { message, error } }) =>
        log.warn('Kafka client', { component, reason: explainRefusal({ message: `${message} ${String(error ?? '')}` }, 'KAFKA') ?? message }),
  });
