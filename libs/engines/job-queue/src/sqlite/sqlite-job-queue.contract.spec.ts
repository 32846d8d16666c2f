import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, describe } from '@jest/globals';

import { FixedClock } from '#testkit/kernel/fixed-clock';
import { Metrics, SilentLog } from '#telemetry';

import { jobQueueContract } from '#testkit/job-queue/job-queue.contract';
import { SqliteJobQueue } from './sqlite-job-queue.js';

describe('SqliteJobQueue', () => {
  const folder = mkdtempSync(join(tmpdir(), 'job-queue-'));
  const clock = new FixedClock();
  afterAll(() => rmSync(folder, { recursive: true }));

  jobQueueContract({
    clock,
    open: async () => new SqliteJobQueue({ path: join(folder, 'jobs.db'), clock, log: new SilentLog(), metrics: new Metrics() }),
    passTime: async (milliseconds) => clock.advance(milliseconds),
  });
});
