import pg from 'pg';

import { TestCa } from '#testkit/engine-access/test-ca';

import { PostgresqlServer } from '../programs/postgresql/postgresql-server.ts';

const USER = 'service';

/** PostgreSQL that takes its user by TLS and password. */
export class SecuredPostgresql {
  private constructor(
    readonly ca: TestCa,
    readonly passwordFile: string,
    private readonly server: PostgresqlServer,
  ) {}

  static async start(password: string): Promise<SecuredPostgresql> {
    const ca = await TestCa.make();
    const { certFile, keyFile } = await ca.issue('postgresql');
    const server = await PostgresqlServer.open({ directory: `${ca.folder}/postgresql` });
    await server.secure(certFile, keyFile);
    await server.start();
    const postgresql = new SecuredPostgresql(ca, await ca.write('password', `${password}\n`), server);
    // It is not killed, so nothing has to survive.
    await postgresql.asOwner('ALTER SYSTEM SET fsync = off');
    await postgresql.asOwner('SELECT pg_reload_conf()');
    await postgresql.asOwner(`CREATE ROLE ${USER} LOGIN PASSWORD '${password}'`);
    return postgresql;
  }

  /** Without a password. */
  url(database: string, host = 'localhost', user = USER): string {
    return `postgres://${user}@${host}:${new URL(this.server.url).port}/${database}?sslmode=verify-full`;
  }

  /** Sets the password, and ends the open connections. */
  async setPassword(password: string): Promise<void> {
    await this.asOwner(`ALTER ROLE ${USER} PASSWORD '${password}'`);
    await this.asOwner(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '${USER}'`);
  }

  /** Serves this certificate to new connections. */
  async useCertificate({ expired }: { readonly expired: boolean }): Promise<void> {
    const { certFile, keyFile } = await this.ca.issue('postgresql', { expired });
    await this.server.secure(certFile, keyFile);
    await this.asOwner('SELECT pg_reload_conf()');
  }

  async asOwner(statement: string, database = 'postgres'): Promise<void> {
    const url = new URL(this.server.url);
    url.pathname = `/${database}`;
    const client = new pg.Client({ connectionString: url.href });
    await client.connect();
    await client.query(statement);
    await client.end();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.server.remove();
    await this.ca[Symbol.asyncDispose]();
  }
}
