import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';
import pg from 'pg';

import { services } from '../../../testkit/topologies/services.ts';
import { topology } from '../../support/index.js';

/*
 * In this run each service connects to the engines by TLS with its own account, which has the rights of deploy/rights: the run shows that these rights suffice.
 * The suites of the adapters show the refusals. Engines that the environment names have no such accounts. Runs after the files that need all services.
 */
const NAMES: readonly string[] = services.map(({ name }) => name);
const WITH_READ_MODELS = ['registry', 'timers', 'webhook-dispatcher'];

(topology?.redis ? describe : describe.skip)('the accounts of the services in Redis', () => {
  it('carry all connections, and no command of the run was refused', async () => {
    const admin = new Redis(topology!.settings['REDIS_URL']!);
    try {
      const own = `id=${await admin.client('ID')} `;
      const others = String(await admin.client('LIST'))
        .trim()
        .split('\n')
        .filter((line) => !line.startsWith(own));
      const users = new Set(others.map((line) => / user=(\S+)/.exec(line)?.[1] ?? ''));
      expect([...users].filter((user) => !NAMES.includes(user))).toEqual([]);
      expect([...users]).toEqual(expect.arrayContaining(['session-api', 'login-bff', 'device-api', 'console', 'webhook-dispatcher']));
      expect(await admin.call('ACL', 'LOG')).toEqual([]);
    } finally {
      admin.disconnect();
    }
  });
});

(topology?.postgresql ? describe : describe.skip)('the accounts of the services in PostgreSQL', () => {
  it('carry all connections, by TLS: those of the three services with read models', async () => {
    const owner = new pg.Client({ connectionString: topology!.settings['POSTGRES_URL']! });
    await owner.connect();
    try {
      const sql = `SELECT DISTINCT usename, ssl FROM pg_stat_activity JOIN pg_stat_ssl USING (pid)
        WHERE backend_type = 'client backend' AND pid <> pg_backend_pid() ORDER BY usename`;
      const { rows } = await owner.query<{ usename: string; ssl: boolean }>(sql);
      // Connections without work are closed.
      expect(rows).not.toEqual([]);
      for (const { usename, ssl } of rows) expect([WITH_READ_MODELS.includes(usename), ssl]).toEqual([true, true]);
    } finally {
      await owner.end();
    }
  });
});

(topology ? describe : describe.skip)('the rights of the services', () => {
  it('suffice in every engine: no service has logged a refusal', () => {
    const { directory } = topology!;
    const logs = readdirSync(directory).filter((name) => name.endsWith('.log'));
    expect(logs.length).toBeGreaterThanOrEqual(topology!.replicas.length);
    const refusals = logs.flatMap((name) =>
      readFileSync(join(directory, name), 'utf8')
        .split('\n')
        .filter((line) => /does not have the rights|refuses the user|NOPERM/.test(line))
        .map((line) => `${name}: ${line}`),
    );
    expect(refusals).toEqual([]);
  });
});
