import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { SystemClock } from '#kernel';
import { FixedClock } from '#testkit/kernel/fixed-clock';
import { eventually } from '#testkit/kernel/eventually';
import { Metrics, SilentLog } from '#telemetry';

import { dyingContract } from '#testkit/job-queue/contract/dying';
import { JobQueueUnavailable } from '../job-queue.js';
import { openJobDatabase } from './database.js';
import { SqliteJobQueue } from './sqlite-job-queue.js';

const DAY = 86_400_000;

describe('a queue in one SQLite file', () => {
  let folder: string;
  let path: string;
  const parts = { log: new SilentLog(), metrics: new Metrics() };

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'job-queue-'));
    path = join(folder, 'deep', 'jobs.db');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  dyingContract(
    () => path,
    async () => new SqliteJobQueue({ path, clock: new SystemClock(), ...parts }),
  );

  it('is locked by one process at a time', async () => {
    const clock = new FixedClock();
    const jobs = new SqliteJobQueue({ path, clock, ...parts });
    expect(() => new SqliteJobQueue({ path, clock, ...parts })).toThrow(JobQueueUnavailable);
    await jobs.close();
    await new SqliteJobQueue({ path, clock, ...parts }).close();
  });

  it('refuses the file of another version', () => {
    const database = openJobDatabase(path);
    database.exec('PRAGMA user_version = 99');
    database.close();
    expect(() => new SqliteJobQueue({ path, clock: new FixedClock(), ...parts })).toThrow('another version');
  });

  it('gives up a job after the process has died ten times while running it', async () => {
    const clock = new FixedClock();
    const before = new SqliteJobQueue({ path, clock, ...parts });
    await before.schedule('deadly', { id: 'a', payload: { version: 1 }, at: 0 });
    await before.close();
    for (let death = 0; death <= 10; death += 1) {
      const database = openJobDatabase(path);
      database.exec(`UPDATE jobs SET state = 'running' WHERE state = 'waiting'`);
      database.close();
      await new SqliteJobQueue({ path, clock, ...parts }).close();
    }
    const after = new SqliteJobQueue({ path, clock, ...parts });
    expect(await after.failed('deadly', 10)).toEqual([expect.objectContaining({ id: 'a', reason: 'the process died while running it' })]);
    await after.close();
  });

  it('remembers done jobs for a day and failed jobs for thirty days', async () => {
    const clock = new FixedClock();
    const stop = new AbortController();
    const first = new SqliteJobQueue({ path, clock, ...parts });
    first.process('memory', {
      signal: stop.signal,
      concurrency: 1,
      retryWaits: [],
      handler: async ({ id }) => {
        if (id === 'bad') throw new Error('never');
      },
    });
    for (const id of ['good', 'bad']) await first.schedule('memory', { id, payload: { version: 1 }, at: 0 });
    await eventually(async () => (await first.failed('memory', 1)).length > 0);
    stop.abort();
    await first.close();
    expect((await parts.metrics.jobRuns.get()).values).toContainEqual({ labels: { queue: 'memory', outcome: 'failed' }, value: 1 });

    clock.advance(DAY + 1);
    await new SqliteJobQueue({ path, clock, ...parts }).close(); // deletes old jobs
    const second = new SqliteJobQueue({ path, clock, ...parts });
    for (const id of ['good', 'bad']) await second.schedule('memory', { id, payload: { version: 1 }, at: 0 });
    expect(await second.counts('memory')).toMatchObject({ due: 1, failed: 1 });
    await second.close();

    clock.advance(30 * DAY);
    await new SqliteJobQueue({ path, clock, ...parts }).close();
    const third = new SqliteJobQueue({ path, clock, ...parts });
    expect(await third.counts('memory')).toMatchObject({ due: 1, failed: 0 });
    await third.close();
  });
});
