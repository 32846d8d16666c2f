import { writeSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

import { SystemClock } from '#kernel';
import { Metrics, SilentLog } from '#telemetry';

import { BullmqJobQueue } from '../bullmq/bullmq-job-queue.js';
import { SqliteJobQueue } from '../sqlite/sqlite-job-queue.js';

/**
 * A process of its own that works on the jobs of a queue, ten at once, until it is killed; it prints the id of each job whose
 * work is done. Arguments: `redis://…` or the file of the queue, and the queue's name.
 */
const [place = '', queue = ''] = process.argv.slice(2);
const parts = { clock: new SystemClock(), log: new SilentLog(), metrics: new Metrics() };
const jobs = place.startsWith('redis:') ? await BullmqJobQueue.open({ url: place, ...parts }) : new SqliteJobQueue({ path: place, ...parts });
jobs.process(queue, {
  concurrency: 10,
  signal: new AbortController().signal,
  handler: async ({ id }) => {
    await sleep(5);
    writeSync(1, `${id}\n`);
  },
});
