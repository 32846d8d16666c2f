import { isIP } from 'node:net';
import type { ConnectionOptions } from 'node:tls';

import pg from 'pg';

import { MountedFile, tlsOptions } from '#engines/access';

export interface PostgresqlAccess {
  /** `postgres://user:password@host:5432/database?sslmode=verify-full`; the password may be left to its file. */
  readonly url: string;
  readonly passwordFile?: string | undefined;
  /** PEM, for `sslmode=verify-full`; without it, the CAs that Node trusts. */
  readonly caFile?: string | undefined;
}

/** The driver's client for a pool, which makes one for each connection: each reads the files again. Throws UnreadableFile. */
export const clientWith = (access: PostgresqlAccess): typeof pg.Client => {
  const { passwordFile, caFile } = access;
  const file = passwordFile === undefined ? undefined : new MountedFile('POSTGRES_PASSWORD_FILE', passwordFile);
  const url = new URL(access.url);
  const isVerified = url.searchParams.get('sslmode') === 'verify-full';
  // An address overrules the options beside it.
  if (isVerified) url.searchParams.delete('sslmode');
  const ssl = isVerified ? { ssl: verified(url.hostname, caFile) } : {};
  const address = (): string => {
    if (file) url.password = encodeURIComponent(file.read());
    return url.href;
  };
  address();
  return class extends pg.Client {
    constructor(config?: pg.ClientConfig) {
      super({ ...config, ...ssl, connectionString: address() });
    }
  };
};

/** The driver names the host to check for a name only; without a name, Node would check for `localhost`. */
const verified = (hostname: string, caFile: string | undefined): ConnectionOptions => {
  const options = tlsOptions('POSTGRES', { caFile });
  const host = hostname.replace(/^\[|\]$/g, '');
  if (isIP(host) !== 0) options.host = host;
  return options;
};
