import { afterEach, describe, expect, it } from '@jest/globals';

import { FixedClock } from '#testkit/kernel/fixed-clock';
import { eventually } from '#testkit/kernel/eventually';
import { Metrics, SilentLog } from '#telemetry';

import { reportCounts } from './report-counts.js';
import { SqliteJobQueue } from './sqlite/sqlite-job-queue.js';

describe('the counts of a queue', () => {
  const metrics = new Metrics();
  const jobs = new SqliteJobQueue({ path: ':memory:', clock: new FixedClock(), log: new SilentLog(), metrics });
  afterEach(() => jobs.close());

  it('are metrics of its process until the signal, and then no longer', async () => {
    const stop = new AbortController();
    for (const id of ['a', 'b', 'c']) await jobs.schedule('webhook-attempts', { id, payload: { version: 1 }, at: 0 });
    reportCounts(jobs, 'webhook-attempts', metrics, stop.signal, 5);
    const due = async () => (await metrics.jobs.get()).values.find(({ labels }) => labels.state === 'due')?.value;
    await eventually(async () => (await due()) === 3);
    stop.abort();
    expect((await metrics.jobs.get()).values).toEqual([]);
  });
});
