import { databasePath, type PlatformSettings } from '#service/config';
import { BullmqJobQueue, type JobQueue, SqliteJobQueue } from '#engines/job-queue';
import type { Clock } from '#kernel';
import type { Log, Metrics } from '#telemetry';

import { redisAccess } from './engine-access.js';

interface Dependencies {
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
}

/** Redis when `REDIS_URL` is set, which need not be available yet; otherwise a SQLite file in `DATA_DIR`. */
export const openJobQueue = async (settings: PlatformSettings, dependencies: Dependencies): Promise<JobQueue> => {
  const redis = redisAccess(settings, dependencies);
  return redis
    ? BullmqJobQueue.open({ ...redis, ...dependencies })
    : new SqliteJobQueue({ path: databasePath(settings.dataDirectory, 'jobs.sqlite'), ...dependencies });
};
