import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

import { expect, it } from '@jest/globals';

import { SystemRandomness } from '#kernel';
import { eventually } from '#kernel/testing';

import type { JobQueue } from '../job-queue.js';
import { collector } from './fixture.js';

// Lets Node run the TypeScript sources: types are stripped, and `./x.js` means `./x.ts`.
const HOOK = `data:text/javascript,import { registerHooks } from 'node:module';
registerHooks({ resolve: (specifier, context, next) =>
  next(context.parentURL?.endsWith('.ts') && specifier.startsWith('.') ? specifier.replace(/js$/, 'ts') : specifier, context) });`;
const NODE = ['--experimental-transform-types', '--conditions=source', '--import', HOOK.replaceAll('\n', '')];
const PROGRAM = join(import.meta.dirname, '..', 'testing', 'work-forever.ts');

const JOBS = 200;
const DEATHS = 3;
const AT_ONCE = 10;

/** Starts a process that runs jobs, kills it after `jobs` jobs, and answers the ids of those that were done. */
const workAndDie = async (location: string, queue: string, jobs: number): Promise<readonly string[]> => {
  const child = spawn(process.execPath, [...NODE, PROGRAM, location, queue], {
    stdio: ['ignore', 'pipe', 'inherit'],
    // A Redis with TLS has a certificate of the tests' own CA.
    env: { NODE_NO_WARNINGS: '1', NODE_EXTRA_CA_CERTS: process.env['NODE_EXTRA_CA_CERTS'] },
  });
  const exit = once(child, 'exit');
  const done: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) if (done.push(line) === jobs) child.kill('SIGKILL');
  await exit;
  return done;
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
