import { Kafka, logLevel } from 'kafkajs';

import { accessOptions, type KafkaAccess } from '#engines/message-bus';
import type { KafkaSettings } from '#engines/message-bus';

type Connection = Pick<KafkaSettings, 'brokers' | 'access'>;

const listed = (name: string): readonly string[] => process.env[name]?.split(',') ?? [];

/** The brokers that the tests use; empty without Kafka. */
export const kafkaBrokers = (): readonly string[] => listed('KAFKA_BROKERS');

/** How the tests connect: by TLS and password to the broker that the set-up has started; to given brokers as the environment says. */
export const kafkaConnection = (): Connection => {
  const { KAFKA_TLS, KAFKA_CA_FILE, KAFKA_SASL, KAFKA_USER = '', KAFKA_PASSWORD_FILE = '' } = process.env;
  const login = { mechanism: KAFKA_SASL as 'plain' | 'scram-sha-512', user: KAFKA_USER, passwordFile: KAFKA_PASSWORD_FILE };
  const access: KafkaAccess = { tls: KAFKA_TLS === 'true', caFile: KAFKA_CA_FILE, ...(KAFKA_SASL && { login }) };
  return { brokers: kafkaBrokers(), access };
};

/** Connects by certificate to the broker that the set-up has started. For given brokers: {@link kafkaConnection}. */
export const kafkaConnectionByCertificate = (): Connection => {
  const brokers = listed('KAFKA_MUTUAL_TLS_BROKERS');
  const { KAFKA_CA_FILE: caFile, KAFKA_CERT_FILE: certFile, KAFKA_KEY_FILE: keyFile } = process.env;
  return brokers.length > 0 ? { brokers, access: { tls: true, caFile, certFile, keyFile } } : kafkaConnection();
};

/** A plain kafkajs client. */
export const foreignClient = ({ brokers, access } = kafkaConnection()): Kafka =>
  new Kafka({ brokers: [...brokers], logLevel: logLevel.NOTHING, ...accessOptions(access) });
