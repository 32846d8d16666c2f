import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';

import pg from 'pg';

const RIGHTS = resolve(import.meta.dirname, '../../../deploy/rights/postgresql.sql');

/** Gives the services their rights by `deploy/rights/postgresql.sql`, as the owner of the database, and these roles a password. */
export const grantRights = async (url: string, password: string, roles: readonly string[]): Promise<void> => {
  const owner = new pg.Client({ connectionString: url });
  await owner.connect();
  await owner.query(await readFile(RIGHTS, 'utf8'));
  for (const role of roles) await owner.query(`ALTER ROLE "${role}" PASSWORD '${password}'`);
  await owner.end();
};
