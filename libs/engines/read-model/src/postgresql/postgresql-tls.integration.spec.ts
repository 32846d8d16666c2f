import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';

import { TestCa } from '#testkit/engine-access/test-ca';
import { eventually } from '#testkit/kernel/eventually';

import type { ReadModels } from '../read-models.js';
import { SecuredPostgresql } from '#testkit/read-model/secured-postgresql';
import { postgresUrl } from '#testkit/read-model/settings';
import { openPostgresqlReadModels, type PostgresqlOptions } from './postgresql-read-models.js';

const PASSWORD = 'first secret: 1';

(postgresUrl() === undefined ? describe.skip : describe)('PostgreSQL over TLS, with a password', () => {
  let postgresql: SecuredPostgresql;
  let refusals: string[];
  const opened: ReadModels[] = [];

  beforeAll(async () => {
    postgresql = await SecuredPostgresql.start(PASSWORD);
  });
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((models) => models.close()));
  });
  afterAll(() => postgresql[Symbol.asyncDispose]());

  const access = (database = 'postgres') => ({
    url: postgresql.url(database),
    passwordFile: postgresql.passwordFile,
    caFile: postgresql.ca.file,
    report: () => undefined,
  });
  const open = (more: Partial<PostgresqlOptions> = {}): ReadModels => {
    refusals = [];
    const models = openPostgresqlReadModels({ ...access(), refused: (reason) => refusals.push(reason), ...more });
    opened.push(models);
    return models;
  };
  const ask = async (models: ReadModels): Promise<string> => {
    try {
      await models.query((database) => sql`SELECT 1`.execute(database));
      return 'answered';
    } catch (error) {
      return (error as { reason: string }).reason.replace('the database of the read models: ', '');
    }
  };

  it('holds the tables of the read models', async () => {
    await postgresql.asOwner('CREATE DATABASE models OWNER service');
    const models = open(access('models'));
    await models.migrate();
    const rows = models.query<{ projections: { name: string } }, readonly unknown[]>((database) =>
      database.selectFrom('projections').selectAll().execute(),
    );
    expect(await rows).toEqual([]);
  });

  it('is reached by a name and by an address that its certificate names', async () => {
    expect(await ask(open())).toBe('answered');
    expect(await ask(open({ url: postgresql.url('postgres', '127.0.0.1') }))).toBe('answered');
  });

  it('is reached with the new password when the file was replaced', async () => {
    const models = open();
    expect(await ask(models)).toBe('answered');
    await postgresql.setPassword('second secret');
    await postgresql.ca.write('password', 'second secret');
    await eventually(async () => (await ask(models)) === 'answered', { what: 'the database answers', within: 20_000 });
    await postgresql.setPassword(PASSWORD);
    await postgresql.ca.write('password', PASSWORD);
  });

  it('refuses a wrong password: one line, without the password, however often it is asked', async () => {
    const models = open({ passwordFile: await postgresql.ca.write('wrong', 'wrong secret') });
    const refusal = 'the engine refuses the user or the password: check the user in POSTGRES_URL and POSTGRES_PASSWORD_FILE';
    expect([await ask(models), await ask(models)]).toEqual([refusal, refusal]);
    expect(refusals).toEqual([refusal]);
  });

  it('is refused when its certificate is of another CA', async () => {
    await using other = await TestCa.make();
    expect(await ask(open({ caFile: other.file }))).toBe("the engine's certificate is not of a trusted CA: set POSTGRES_CA_FILE to its CA");
  });

  it('is refused when its certificate has expired, and used again with a new one', async () => {
    await postgresql.useCertificate({ expired: true });
    const models = open();
    await eventually(async () => (await ask(open())) === "the engine's certificate has expired", { what: 'the refusal of an expired certificate' });
    await postgresql.useCertificate({ expired: false });
    await eventually(async () => (await ask(models)) === 'answered', { what: 'the database answers', within: 20_000 });
  });

  it('is not opened when a file is missing, by the name of the setting', () => {
    expect(() => open({ passwordFile: '/nowhere/password' })).toThrow('POSTGRES_PASSWORD_FILE names a file that this user cannot read (ENOENT)');
    expect(() => open({ caFile: '/nowhere/ca.pem' })).toThrow('POSTGRES_CA_FILE names a file that this user cannot read (ENOENT)');
  });

  describe('with the rights of the services (deploy/rights/postgresql.sql)', () => {
    const RIGHTS = join(import.meta.dirname, '../../../../../deploy/rights/postgresql.sql');
    const asService = (service: string, database = 'rights') =>
      open({ ...access(), url: postgresql.url(database, 'localhost', service), report: () => undefined });
    const run = (models: ReadModels, statement: string) => models.query((database) => sql.raw(statement).execute(database));

    beforeAll(async () => {
      await postgresql.asOwner('CREATE DATABASE rights');
      for (const service of ['device-api', 'session-api']) await postgresql.asOwner(`CREATE ROLE "${service}" LOGIN PASSWORD '${PASSWORD}'`);
      await postgresql.asOwner(await readFile(RIGHTS, 'utf8'), 'rights');
      // As a release before gave it. The file may be repeated.
      await postgresql.asOwner('GRANT "read-models" TO "session-api"');
      await postgresql.asOwner(`ALTER ROLE "session-api" SET role = 'read-models'`);
      await postgresql.asOwner(await readFile(RIGHTS, 'utf8'), 'rights');
      for (const service of ['registry', 'timers', 'webhook-dispatcher']) await postgresql.asOwner(`ALTER ROLE "${service}" PASSWORD '${PASSWORD}'`);
      await postgresql.asOwner('CREATE TABLE foreign_table (id int)', 'rights');
    });

    it('each of three services makes and fills tables, and registry empties those of the others', async () => {
      await asService('timers').migrate();
      for (const service of ['webhook-dispatcher', 'timers']) {
        const name = service.replace('-', '_');
        const models = asService(service);
        await models.migrate();
        await run(models, `CREATE TABLE ${name}_v1 (id int)`);
        await run(models, `INSERT INTO ${name}_v1 VALUES (1)`);
        const registry = asService('registry');
        await run(registry, `DELETE FROM ${name}_v1`);
        await run(registry, `DROP TABLE ${name}_v1`);
        await models.close();
        await registry.close();
      }
    });

    it.each([
      ['SELECT * FROM foreign_table', 'a table of another owner'],
      ['CREATE ROLE intruder', 'new roles'],
      ['CREATE DATABASE intruder', 'new databases'],
      ['SELECT rolpassword FROM pg_authid', 'passwords'],
      ["SELECT pg_read_file('/etc/passwd')", 'files'],
    ])('no service may run %s (%s)', async (statement) => {
      for (const service of ['timers', 'registry']) await expect(run(asService(service), statement)).rejects.toThrow('does not have the rights');
    });

    it.each(['device-api', 'session-api'])('a service without read models may not connect: %s', async (service) => {
      await expect(run(asService(service), 'SELECT 1')).rejects.toThrow();
      expect(await ask(asService(service))).not.toBe('answered');
    });
  });
});
