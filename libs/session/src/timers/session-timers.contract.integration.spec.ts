import { describe } from '@jest/globals';
import pg from 'pg';

import { SystemClock, SystemRandomness } from '#kernel';
import { openPostgresqlReadModels, Projections } from '#read-model';
import { Metrics, SilentLog } from '#telemetry';

import { sessionTimersContract } from './session-timers.contract.js';

const url = process.env['POSTGRES_URL'];

(url === undefined ? describe.skip : describe)('session timers on PostgreSQL', () => {
  let name: string;
  const asOwner = async (statement: string): Promise<void> => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query(statement);
    await client.end();
  };
  sessionTimersContract({
    make: async () => {
      name = `timers_${new SystemRandomness().uuid().replaceAll('-', '')}`;
      await asOwner(`CREATE DATABASE ${name}`);
    },
    open: ({ eventStore }) => {
      const address = new URL(url!);
      address.pathname = `/${name}`;
      return new Projections({
        readModels: openPostgresqlReadModels({ url: address.href, report: () => undefined }),
        eventStore,
        clock: new SystemClock(),
        randomness: new SystemRandomness(),
        log: new SilentLog(),
        metrics: new Metrics(),
        times: { beat: 50, takeOver: 500, retry: 20, look: 100 },
      });
    },
    remove: () => asOwner(`DROP DATABASE ${name} WITH (FORCE)`),
  });
});
