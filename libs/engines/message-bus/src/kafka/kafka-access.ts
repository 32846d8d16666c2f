import type { KafkaConfig, SASLOptions } from 'kafkajs';

import { MountedFile, tlsOptions } from '#engines/access';

/** How a client and the brokers authenticate to each other. */
export interface KafkaAccess {
  readonly tls: boolean;
  /** PEM files, for TLS: the brokers' CA (without it, the CAs that Node trusts), and the client's certificate with its key for mutual TLS. */
  readonly caFile?: string | undefined;
  readonly certFile?: string | undefined;
  readonly keyFile?: string | undefined;
  readonly login?: KafkaLogin | undefined;
}

export interface KafkaLogin {
  readonly mechanism: 'plain' | 'scram-sha-512';
  readonly user: string;
  readonly passwordFile: string;
}

/** The library reads these properties for each connection, so each reads its file again. Throws UnreadableFile. */
export const accessOptions = (access: KafkaAccess | undefined): Pick<KafkaConfig, 'ssl' | 'sasl'> => ({
  ...(access?.tls && { ssl: tlsOptions('KAFKA', access) }),
  ...(access?.login && { sasl: saslOptions(access.login) }),
});

const saslOptions = ({ mechanism, user, passwordFile }: KafkaLogin): SASLOptions => {
  const file = new MountedFile('KAFKA_PASSWORD_FILE', passwordFile);
  file.read();
  const options = { mechanism, username: user };
  return Object.defineProperty(options, 'password', { enumerable: true, configurable: true, get: () => file.read() }) as SASLOptions;
};
