import { randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { grantRights as grantInKafka } from '../programs/kafka/grant-rights.ts';
import type { SecureListeners } from '../programs/kafka/secure-listeners.ts';
import { grantRights as grantInPostgresql } from '../programs/postgresql/grant-rights.ts';
import { type LocalCertificate, makeLocalCertificate } from '../processes/local-certificate.ts';
import { reservePorts } from '../processes/reserve-port.ts';
import { grantRights as grantInRedis } from '../programs/redis/grant-rights.ts';
import { type ServiceName, services } from './services.ts';

const ADMINISTRATOR = 'admin';
/** The role of all services in EventStoreDB. */
const ROLE = 'services';
const WITH_READ_MODELS: readonly ServiceName[] = ['registry', 'webhook-dispatcher', 'timers'];

type Settings = Readonly<Record<string, string>>;

/** Each service's own account in each engine, by TLS and a password in a file, with the rights that `deploy/rights` gives it and no others. */
export class EngineAccounts {
  readonly #directory: string;
  readonly #certificate: LocalCertificate;
  readonly #password = randomBytes(18).toString('base64url');
  readonly #ports: { readonly sasl: number; readonly mutualTls: number; readonly redis: number };
  /** For each engine with rights: the settings by which a service finds it. */
  readonly #engines: ((service: ServiceName) => Settings)[] = [];

  private constructor(directory: string, certificate: LocalCertificate, [sasl = 0, mutualTls = 0, redis = 0]: readonly number[]) {
    this.#directory = directory;
    this.#certificate = certificate;
    this.#ports = { sasl, mutualTls, redis };
  }

  /** Makes the certificate of the engines and the files of passwords. Starts no process. */
  static async make(directory: string): Promise<EngineAccounts> {
    await mkdir(directory, { recursive: true });
    const accounts = new EngineAccounts(directory, await makeLocalCertificate(directory), await reservePorts(3));
    await accounts.#write('password', `${accounts.#password}\n`);
    await accounts.#write('users.acl', '');
    return accounts;
  }

  /** The settings of a service, which take precedence over those that all share. */
  settingsOf(service: ServiceName): Settings {
    return Object.assign({}, ...this.#engines.map((of) => of(service))) as Settings;
  }

  /** For the broker. */
  get kafka(): SecureListeners {
    const { caFile, bothFile } = this.#certificate;
    const users = Object.fromEntries(services.map(({ name }) => [name, this.#password]));
    return { saslPort: this.#ports.sasl, mutualTlsPort: this.#ports.mutualTls, caFile, bothFile, users, superUsers: [] };
  }

  /** Arguments of `redis-server`. The users outlive a restart. */
  get redisOptions(): readonly string[] {
    const { caFile, certFile, keyFile } = this.#certificate;
    const tls = ['--tls-port', String(this.#ports.redis), '--tls-cert-file', certFile, '--tls-key-file', keyFile, '--tls-ca-cert-file', caFile];
    return [...tls, '--tls-auth-clients', 'no', '--aclfile', this.#file('users.acl')];
  }

  /** For the PostgreSQL server. */
  get certificate(): LocalCertificate {
    return this.#certificate;
  }

  /** Options of the gRPC test server. */
  async storeOptions(): Promise<readonly string[]> {
    const { certFile, keyFile } = this.#certificate;
    const password = this.#password;
    const users = Object.fromEntries(services.map(({ name }) => [name, { password, groups: [ROLE] }]));
    await this.#write('users.json', JSON.stringify({ ...users, [ADMINISTRATOR]: { password, groups: ['$admins'] } }));
    return ['--tls-certificate', certFile, '--tls-key', keyFile, '--users', this.#file('users.json')];
  }

  async grantInKafka(brokers: readonly string[]): Promise<void> {
    await grantInKafka(brokers);
    this.#engines.push((service) => ({
      KAFKA_BROKERS: `localhost:${this.#ports.sasl}`,
      KAFKA_TLS: 'true',
      KAFKA_CA_FILE: this.#certificate.caFile,
      KAFKA_SASL: 'scram-sha-512',
      KAFKA_USER: service,
      KAFKA_PASSWORD_FILE: this.#file('password'),
    }));
  }

  async grantInRedis(url: string): Promise<void> {
    await grantInRedis(url, this.#password, { save: true });
    this.#engines.push((service) => ({
      REDIS_URL: `rediss://${service}@localhost:${this.#ports.redis}`,
      REDIS_PASSWORD_FILE: this.#file('password'),
      REDIS_CA_FILE: this.#certificate.caFile,
    }));
  }

  async grantInPostgresql(url: string): Promise<void> {
    await grantInPostgresql(url, this.#password, WITH_READ_MODELS);
    const { port, pathname } = new URL(url);
    this.#engines.push((service) =>
      WITH_READ_MODELS.includes(service)
        ? {
            POSTGRES_URL: `postgres://${service}@localhost:${port}${pathname}?sslmode=verify-full`,
            POSTGRES_PASSWORD_FILE: this.#file('password'),
            POSTGRES_CA_FILE: this.#certificate.caFile,
          }
        : { POSTGRES_URL: '' },
    );
  }

  /** As `npm run cli -- store grant` does. Answers the connection string of the administrator. */
  async grantInEventStore(port: string): Promise<string> {
    const { caFile } = this.#certificate;
    const options = `localhost:${port}?tls=true&tlsCAFile=${caFile}`;
    // What the command `store grant` runs. Loaded here, since a program that Node runs from its sources finds it only after a build.
    const { grantRightsInEventStoreDb } = await import('#engines/event-store');
    const credentials = { username: ADMINISTRATOR, password: this.#password };
    await grantRightsInEventStoreDb({ connectionString: `esdb://${options}`, credentials, role: ROLE });
    this.#engines.push((service) => ({
      ESDB_URL: `esdb://${service}@localhost:${port}`,
      ESDB_PASSWORD_FILE: this.#file('password'),
      ESDB_CA_FILE: caFile,
    }));
    return `esdb://${ADMINISTRATOR}:${this.#password}@${options}`;
  }

  #file(name: string): string {
    return join(this.#directory, name);
  }

  #write(name: string, content: string): Promise<void> {
    return writeFile(this.#file(name), content);
  }
}
