import { IsIn } from 'class-validator';

import { EngineSettings } from './engine-settings.js';
import { flag, text } from './formats.js';
import { Absent } from './rules.js';
import { Setting } from './setting.decorator.js';

const PASSWORD = 'File with the password of the user';
const REREAD = 'It is read again for each new connection.';
const CA = 'File of PEM certificates: the CA of';
const UNSET = 'Unset: the CAs that Node trusts. It is read again for each new connection.';
const CERTIFICATE = 'File with the PEM certificate of this service, and its chain, for';

/** How the services prove who they are to the engines, and the engines to them. All files may be replaced while the services run. */
export class EngineAccessSettings extends EngineSettings {
  @Setting({
    env: 'ESDB_PASSWORD_FILE',
    as: text,
    meaning: `${PASSWORD} in \`ESDB_URL\`, as in \`esdb://user@host:2113\`. It is read again when EventStoreDB refuses the password, and for each new connection.`,
  })
  readonly esdbPasswordFile?: string;

  @Setting({ env: 'ESDB_CA_FILE', as: text, meaning: `${CA} EventStoreDB. ${UNSET}` })
  readonly esdbCaFile?: string;

  @Setting({ env: 'ESDB_CERT_FILE', as: text, meaning: `${CERTIFICATE} EventStoreDB. ${REREAD}` })
  readonly esdbCertFile?: string;

  @Setting({ env: 'ESDB_KEY_FILE', as: text, meaning: 'File with the PEM key of `ESDB_CERT_FILE`.' })
  readonly esdbKeyFile?: string;

  @Setting({ env: 'KAFKA_TLS', as: flag, fallback: 'false', meaning: 'Whether the brokers are reached by TLS.' })
  readonly kafkaTls!: boolean;

  @Setting({ env: 'KAFKA_CA_FILE', as: text, meaning: `${CA} the brokers. ${UNSET}` })
  readonly kafkaCaFile?: string;

  @Setting({ env: 'KAFKA_CERT_FILE', as: text, meaning: `${CERTIFICATE} Kafka with mutual TLS. ${REREAD}` })
  readonly kafkaCertFile?: string;

  @Setting({ env: 'KAFKA_KEY_FILE', as: text, meaning: 'File with the PEM key of `KAFKA_CERT_FILE`.' })
  readonly kafkaKeyFile?: string;

  @Setting({ env: 'KAFKA_SASL', as: text, meaning: '`plain` or `scram-sha-512`: how the user proves the password to the brokers. Unset: no user.' })
  @Absent()
  @IsIn(['plain', 'scram-sha-512'], { message: '$property must be plain or scram-sha-512' })
  readonly kafkaSasl?: 'plain' | 'scram-sha-512';

  @Setting({ env: 'KAFKA_USER', as: text, meaning: 'The user, with `KAFKA_SASL`.' })
  readonly kafkaUser?: string;

  @Setting({ env: 'KAFKA_PASSWORD_FILE', as: text, meaning: `${PASSWORD} in \`KAFKA_USER\`. ${REREAD}` })
  readonly kafkaPasswordFile?: string;

  @Setting({ env: 'REDIS_PASSWORD_FILE', as: text, meaning: `${PASSWORD} in \`REDIS_URL\`, as in \`rediss://user@host:6379\`. ${REREAD}` })
  readonly redisPasswordFile?: string;

  @Setting({ env: 'REDIS_CA_FILE', as: text, meaning: `${CA} Redis, with \`rediss://\`. ${UNSET}` })
  readonly redisCaFile?: string;

  @Setting({
    env: 'POSTGRES_PASSWORD_FILE',
    as: text,
    meaning: `${PASSWORD} in \`POSTGRES_URL\`, as in \`postgres://user@host:5432/database?sslmode=verify-full\`. ${REREAD}`,
  })
  readonly postgresPasswordFile?: string;

  @Setting({ env: 'POSTGRES_CA_FILE', as: text, meaning: `${CA} PostgreSQL, with \`sslmode=verify-full\`. ${UNSET}` })
  readonly postgresCaFile?: string;
}
