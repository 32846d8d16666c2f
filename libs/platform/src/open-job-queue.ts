import { join } from 'node:path';

import type { PlatformSettings } from '#config';
import { BullmqJobQueue, type JobQueue, SqliteJobQueue } from '#job-queue';
import type { Clock } from '#kernel';
import type { Log, Metrics } from '#telemetry';

interface Dependencies {
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
}

/** Redis when `REDIS_URL` is set, which need not be available yet; otherwise a SQLite file in `DATA_DIR`. */
export const openJobQueue = async ({ redisUrl, dataDirectory }: PlatformSettings, dependencies: Dependencies): Promise<JobQueue> =>
  redisUrl === undefined
    ? new SqliteJobQueue({ path: join(dataDirectory, 'jobs.sqlite'), ...dependencies })
    : BullmqJobQueue.open({ url: redisUrl, ...dependencies });
