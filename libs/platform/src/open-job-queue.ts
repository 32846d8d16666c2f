import { join } from 'node:path';

import type { PlatformSettings } from '#config';
import { BullmqJobQueue, type JobQueue, SqliteJobQueue } from '#job-queue';
import type { Clock } from '#kernel';
import type { Log, Metrics } from '#telemetry';

interface Surroundings {
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
}

/** Redis where `REDIS_URL` names one, which need not be up yet; otherwise a file in `DATA_DIR`. */
export const openJobQueue = async ({ redisUrl, dataDirectory }: PlatformSettings, surroundings: Surroundings): Promise<JobQueue> =>
  redisUrl === undefined
    ? new SqliteJobQueue({ path: join(dataDirectory, 'jobs.sqlite'), ...surroundings })
    : BullmqJobQueue.open({ url: redisUrl, ...surroundings });
