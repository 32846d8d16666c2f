import { describe } from '@jest/globals';

import { SystemClock, SystemRandomness } from '#kernel';
import { openPostgresqlReadModels, Projections } from '#engines/read-model';
import { TemporaryDatabase } from '#testkit/read-model/temporary-database';
import { Metrics, SilentLog } from '#telemetry';

import { loginFunnelContract } from '#testkit/session/read-models/login-funnel.contract';

const url = process.env['POSTGRES_URL'];

(url === undefined ? describe.skip : describe)('the login funnel on PostgreSQL', () => {
  let database: TemporaryDatabase;
  loginFunnelContract({
    make: async () => {
      database = await TemporaryDatabase.create(url!, 'funnel');
    },
    open: ({ eventStore }) =>
      new Projections({
        readModels: openPostgresqlReadModels({ url: database.url, report: () => undefined }),
        eventStore,
        clock: new SystemClock(),
        randomness: new SystemRandomness(),
        log: new SilentLog(),
        metrics: new Metrics(),
      }),
    remove: () => database.remove(),
  });
});
