import { InvalidSettings } from '#service/config';
import { type Platform, runApplication } from '#service/platform';

import { timers } from './app.js';

/** Without PostgreSQL each process would have its own rows, and when a partition moves to another process, its rows would not move with it. */
const assertSharedRows = ({ settings: { kafkaBrokers, postgresUrl } }: Platform): void => {
  if (kafkaBrokers && postgresUrl === undefined)
    throw new InvalidSettings([
      'POSTGRES_URL is not set. Set it to the PostgreSQL of the read models: with KAFKA_BROKERS, the processes of the timers share their rows there.',
    ]);
};

await runApplication({
  ...timers,
  create: async (platform) => {
    assertSharedRows(platform);
    return timers.create(platform);
  },
});
