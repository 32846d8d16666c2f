import { spawn } from 'node:child_process';
import { join } from 'node:path';

import { expect, it } from '@jest/globals';

import { SystemRandomness } from '#kernel';
import { eventually } from '#testkit/kernel/eventually';
import { killAfterLines, TYPESCRIPT_ARGUMENTS } from '#testkit/kernel/typescript-process';

import type { JobQueue } from '#engines/job-queue';
import { collector } from './fixture.js';

const PROGRAM = join(import.meta.dirname, '../work-forever.ts');

const JOBS = 200;
const DEATHS = 3;
const AT_ONCE = 10;

/** Starts a process that runs jobs, kills it after `jobs` jobs, and answers the ids of those that were done. */
const workAndDie = async (location: string, queue: string, jobs: number): Promise<readonly string[]> => {
  const child = spawn(process.execPath, [...TYPESCRIPT_ARGUMENTS, PROGRAM, location, queue], {
    stdio: ['ignore', 'pipe', 'inherit'],
    // A Redis with TLS has a certificate of the tests' own CA.
    env: { NODE_NO_WARNINGS: '1', NODE_EXTRA_CA_CERTS: process.env['NODE_EXTRA_CA_CERTS'] },
  });
  return killAfterLines(child, jobs);
};

/** A job runs at least once, after any kill. `location`: `redis://…` or the file of the queue. */
export const dyingContract = (location: () => string, open: () => Promise<JobQueue>): void => {
  it('runs every job, and few of them twice, although its processes are killed repeatedly', async () => {
    const queue = `dying-${new SystemRandomness().bytes(6).toString('hex')}`;
    const ids = Array.from({ length: JOBS }, (_, number) => `job-${number}`);
    const before = await open();
    await Promise.all(ids.map((id) => before.schedule(queue, { id, payload: { version: 1 }, at: 0 })));
    await before.close();

    const runs: string[] = [];
    for (let death = 0; death < DEATHS; death += 1) runs.push(...(await workAndDie(location(), queue, JOBS / 5)));

    const after = await open();
    const rest = collector();
    const stop = new AbortController();
    after.process(queue, { handler: rest.handler, concurrency: AT_ONCE, signal: stop.signal });
    const isDone = async (): Promise<boolean> => {
      const { scheduled, due, running } = await after.counts(queue);
      return scheduled + due + running === 0;
    };
    await eventually(isDone, { what: 'the rest of the jobs is done', within: 60_000 });
    const { failed } = await after.counts(queue);
    stop.abort();
    await after.close();

    runs.push(...rest.ids);
    expect(new Set(runs)).toEqual(new Set(ids));
    expect(runs.length).toBeLessThanOrEqual(JOBS + DEATHS * AT_ONCE);
    expect(failed).toBe(0);
  });
};
