import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';

import type { ReadModels } from '../read-models.js';
import { SecuredPostgresql } from '#testkit/read-model/secured-postgresql';
import { postgresUrl } from '#testkit/read-model/settings';
import { openPostgresqlReadModels } from './postgresql-read-models.js';

const ROOT = join(import.meta.dirname, '../../../../..');
const PASSWORD = 'first secret: 1';

(postgresUrl() === undefined ? describe.skip : describe)('a dump of the read models', () => {
  let postgresql: SecuredPostgresql;
  const opened: ReadModels[] = [];

  beforeAll(async () => {
    postgresql = await SecuredPostgresql.start(PASSWORD);
    await postgresql.asOwner('CREATE DATABASE dumped');
    await postgresql.asOwner(await readFile(join(ROOT, 'deploy/rights/postgresql.sql'), 'utf8'), 'dumped');
    for (const service of ['registry', 'timers']) await postgresql.asOwner(`ALTER ROLE "${service}" PASSWORD '${PASSWORD}'`);
  });
  afterEach(() => Promise.all(opened.splice(0).map((models) => models.close())));
  afterAll(() => postgresql[Symbol.asyncDispose]());

  const url = (service: string): string => postgresql.url('dumped', 'localhost', service);
  const run = async (service: string, statement: string) => {
    const access = { url: url(service), passwordFile: postgresql.passwordFile, caFile: postgresql.ca.file };
    const models = openPostgresqlReadModels({ ...access, report: () => undefined, refused: () => undefined });
    opened.push(models);
    return models.query((database) => sql.raw(statement).execute(database));
  };
  /** A command of the manual, with the settings of `registry`. */
  const command = async (program: 'pg_dump' | 'pg_restore'): Promise<void> => {
    const manual = await readFile(join(ROOT, 'docs/operator.md'), 'utf8');
    const [, text = ''] = new RegExp(`\`(PG[^\`]* ${program} [^\`]*)\``).exec(manual) ?? [];
    const settings = { POSTGRES_URL: url('registry'), POSTGRES_PASSWORD_FILE: postgresql.passwordFile, POSTGRES_CA_FILE: postgresql.ca.file };
    await promisify(execFile)('sh', ['-c', text], { cwd: postgresql.ca.folder, env: { PATH: process.env['PATH'], ...settings } });
  };

  it('is made and restored by the commands of the manual, with the rights of registry, and belongs to all services again', async () => {
    await run('timers', 'CREATE TABLE rows_v1 (id int)');
    await run('timers', 'INSERT INTO rows_v1 VALUES (1), (2)');
    await command('pg_dump');
    await run('timers', 'DELETE FROM rows_v1');
    await run('timers', 'CREATE TABLE later_v1 (id int)');
    await command('pg_restore');
    expect((await run('registry', 'SELECT id FROM rows_v1 ORDER BY id')).rows).toEqual([{ id: 1 }, { id: 2 }]);
    await run('timers', 'INSERT INTO rows_v1 VALUES (3)');
    expect((await run('registry', 'SELECT count(*)::int AS rows FROM rows_v1')).rows).toEqual([{ rows: 3 }]);
  });
});
