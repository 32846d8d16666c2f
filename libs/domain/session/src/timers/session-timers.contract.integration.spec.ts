import { describe } from '@jest/globals';

import { SystemClock, SystemRandomness } from '#kernel';
import { openPostgresqlReadModels, Projections } from '#engines/read-model';
import { CountedReadModels } from '#testkit/read-model/counted-read-models';
import { TemporaryDatabase } from '#testkit/read-model/temporary-database';
import { Metrics, SilentLog } from '#telemetry';

import { sessionTimersContract } from '#testkit/session/timers/session-timers.contract';

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
