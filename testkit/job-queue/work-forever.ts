import { writeSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

import { SystemClock } from '#kernel';
import { Metrics, SilentLog } from '#telemetry';

import { BullmqJobQueue } from '#engines/job-queue';
import { SqliteJobQueue } from '#engines/job-queue';

/**
 * A process that runs the jobs of a queue, ten at once, until it is killed. Prints the id of each job that is done.
 * Arguments: `redis://…`, `rediss://…` or the file of the queue, and the queue's name.
 */
const [location = '', queue = ''] = process.argv.slice(2);
const parts = { clock: new SystemClock(), log: new SilentLog(), metrics: new Metrics() };
const jobs = /^rediss?:/.test(location) ? await BullmqJobQueue.open({ url: location, ...parts }) : new SqliteJobQueue({ path: location, ...parts });
jobs.process(queue, {
  concurrency: 10,
  signal: new AbortController().signal,
  handler: async ({ id }) => {
    await sleep(5);
    writeSync(1, `${id}\n`);
  },
});
