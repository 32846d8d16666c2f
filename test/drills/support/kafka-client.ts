import { Kafka, type KafkaConfig, logLevel } from 'kafkajs';

// Mends a timer of the library, which otherwise fires every millisecond in this process too.
import '#engines/message-bus';

/** A client of a drill's own, which keeps silent about lost brokers. */
export const kafkaClient = (brokers: readonly string[], options: Omit<KafkaConfig, 'brokers'> = {}): Kafka =>
  new Kafka({ clientId: 'drill', logLevel: logLevel.NOTHING, ...options, brokers: [...brokers] });
