import { setTimeout as sleep } from 'node:timers/promises';

import { describe } from '@jest/globals';

import { SystemClock } from '#kernel';
import { Metrics, SilentLog } from '#telemetry';

import { jobQueueContract } from '#testkit/job-queue/job-queue.contract';
import { redisUrl } from '#testkit/job-queue/settings';
import { BullmqJobQueue } from './bullmq-job-queue.js';

const url = redisUrl();

(url === undefined ? describe.skip : describe)('BullmqJobQueue', () => {
  const clock = new SystemClock();

  jobQueueContract({
    clock,
    open: () => BullmqJobQueue.open({ url: url ?? '', clock, log: new SilentLog(), metrics: new Metrics() }),
    passTime: (milliseconds) => sleep(milliseconds),
  });
});
