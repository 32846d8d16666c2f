import { databasePath, type PlatformSettings } from '#service/config';
import type { EventStore, StoreHistory } from '#engines/event-store';
import type { Clock, Randomness } from '#kernel';
import { openPostgresqlReadModels, openSqliteReadModels, Projections, type ReadModels } from '#engines/read-model';
import { EngineCalls, type Log, type Metrics } from '#telemetry';

import { postgresqlAccess } from './engine-access.js';

interface Dependencies {
  /** The writing begins when it resolves. */
  readonly begin: Promise<void>;
  readonly eventStore: EventStore;
  readonly history: StoreHistory;
  readonly clock: Clock;
  readonly randomness: Randomness;
  readonly log: Log;
  readonly metrics: Metrics;
}

/** Read models in PostgreSQL when `POSTGRES_URL` is set, which need not be available yet; otherwise in a SQLite file in `DATA_DIR`. A process that follows none opens none. */
export const openProjections = (settings: PlatformSettings, dependencies: Dependencies): Projections =>
  new Projections({ readModels: openReadModels(settings, dependencies), ...dependencies });

const openReadModels = (settings: PlatformSettings, { log, clock, metrics }: Dependencies): ReadModels => {
  const postgresql = postgresqlAccess(settings);
  return postgresql
    ? openPostgresqlReadModels({
        ...postgresql,
        calls: new EngineCalls('postgresql', { clock, metrics }),
        report: (error) => log.warn('a connection to PostgreSQL was lost', { component: 'read-models', error }),
        refused: (reason) => log.error('this service cannot use PostgreSQL', { component: 'read-models', reason }),
      })
    : openSqliteReadModels(databasePath(settings.dataDirectory, 'read-models.sqlite'), clock);
};
