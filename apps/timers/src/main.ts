import { InvalidSettings } from '#config';
import { type Platform, runApplication } from '#platform';

import { timers } from './app.js';

/** Of several processes each would have rows of its own, and those of a partition would stay behind when it moves. */
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
