import { describe } from '@jest/globals';

import { SystemClock, SystemRandomness } from '#kernel';
import { openPostgresqlReadModels, Projections } from '#read-model';
import { CountedReadModels, TemporaryDatabase } from '#read-model/testing';
import { Metrics, SilentLog } from '#telemetry';

import { sessionTimersContract } from './session-timers.contract.js';

const url = process.env['POSTGRES_URL'];

(url === undefined ? describe.skip : describe)('session timers on PostgreSQL', () => {
  let database: TemporaryDatabase;
  const statements = new Map<string, number>();
  sessionTimersContract({
    statements,
    make: async () => {
      database = await TemporaryDatabase.create(url!, 'timers');
    },
    open: ({ eventStore }) =>
      new Projections({
        readModels: new CountedReadModels(openPostgresqlReadModels({ url: database.url, report: () => undefined }), statements),
        eventStore,
        clock: new SystemClock(),
        randomness: new SystemRandomness(),
        log: new SilentLog(),
        metrics: new Metrics(),
        times: { beat: 50, takeOver: 500, watch: 20, retry: 20, look: 100 },
      }),
    remove: () => database.remove(),
  });
});
