import { setTimeout as sleep } from 'node:timers/promises';

import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';

import { CapturedLog } from '#testkit/engine-access/captured-log';
import { TestCa } from '#testkit/engine-access/test-ca';
import { SystemClock } from '#kernel';
import { eventually } from '#testkit/kernel/eventually';
import { Metrics, SilentLog } from '#telemetry';

import { jobQueueContract } from '#testkit/job-queue/job-queue.contract';
import type { JobQueueUnavailable } from '../job-queue.js';
import { SecuredRedis } from '#testkit/job-queue/secured-redis';
import { redisUrl } from '#testkit/job-queue/settings';
import { BullmqJobQueue, type BullmqJobQueueParts } from './bullmq-job-queue.js';

const PASSWORD = 'first secret: 1';

(redisUrl() === undefined ? describe.skip : describe)('Redis over TLS, with an ACL user', () => {
  const clock = new SystemClock();
  let redis: SecuredRedis;
  let log: CapturedLog;
  const opened: { jobs: BullmqJobQueue; stop: AbortController }[] = [];

  beforeAll(async () => {
    redis = await SecuredRedis.start(PASSWORD);
  });
  afterEach(async () => {
    for (const { stop } of opened) stop.abort();
    await Promise.all(opened.splice(0).map(({ jobs }) => jobs.close()));
  });
  afterAll(() => redis[Symbol.asyncDispose]());

  const access = () => ({ url: redis.url, passwordFile: redis.passwordFile, caFile: redis.ca.file });
  const open = async (more: Partial<BullmqJobQueueParts> = {}) => {
    log = new CapturedLog();
    const one = { jobs: await BullmqJobQueue.open({ ...access(), clock, log, metrics: new Metrics(), ...more }), stop: new AbortController() };
    opened.push(one);
    return one;
  };
  const refusal = async (more: Partial<BullmqJobQueueParts>): Promise<string> => {
    const { jobs } = await open(more);
    const { reason } = await jobs.check().then(
      () => ({ reason: 'it works' }),
      (error: JobQueueUnavailable) => error,
    );
    expect(log.text).toContain(reason.replace('Redis is unavailable: ', ''));
    expect(log.text).not.toMatch(/secret/);
    return reason;
  };

  describe('by the contract of job queues', () => {
    jobQueueContract({
      clock,
      open: () => BullmqJobQueue.open({ ...access(), clock, log: new SilentLog(), metrics: new Metrics() }),
      passTime: (milliseconds) => sleep(milliseconds),
    });
  });

  it('is reached with the new password when the file was replaced, also by a worker that runs', async () => {
    const { jobs, stop } = await open();
    const done: string[] = [];
    jobs.process('mail', { handler: async ({ id }) => void done.push(id), concurrency: 1, signal: stop.signal });
    await jobs.schedule('mail', { id: 'before', at: 0, payload: { version: 1 } });
    await eventually(async () => done.includes('before'), { what: 'the first job ran' });
    await redis.ca.write('password', 'second secret\n');
    await redis.setPassword('second secret');
    const schedule = () =>
      jobs.schedule('mail', { id: 'after', at: 0, payload: { version: 1 } }).then(
        () => true,
        () => false,
      );
    await eventually(schedule, { what: 'a job is scheduled with the new password', within: 20_000 });
    await eventually(async () => done.includes('after'), { what: 'the second job ran', within: 30_000 });
    await redis.ca.write('password', `${PASSWORD}\n`);
    await redis.setPassword(PASSWORD);
  });

  it('refuses a wrong password: one line, without the password', async () => {
    const passwordFile = await redis.ca.write('wrong', 'wrong secret');
    expect(await refusal({ passwordFile })).toBe(
      'Redis is unavailable: the engine refuses the user or the password: check the user in REDIS_URL and REDIS_PASSWORD_FILE',
    );
  });

  it('is refused when its certificate is of another CA', async () => {
    await using other = await TestCa.make();
    expect(await refusal({ caFile: other.file })).toBe(
      "Redis is unavailable: the engine's certificate is not of a trusted CA: set REDIS_CA_FILE to its CA",
    );
  });

  it('is refused when its certificate has expired, and used again with a new one', async () => {
    await redis.useCertificate({ expired: true });
    expect(await refusal({})).toBe("Redis is unavailable: the engine's certificate has expired");
    const { jobs } = opened.at(-1)!;
    await redis.useCertificate({ expired: false });
    const works = () =>
      jobs.check().then(
        () => true,
        () => false,
      );
    await eventually(works, { what: 'the queue works', within: 20_000 });
  });

  it('is refused when the file of the password is gone, by the name of the setting', async () => {
    await expect(open({ passwordFile: '/nowhere/password' })).rejects.toThrow('REDIS_PASSWORD_FILE names a file that this user cannot read (ENOENT)');
  });
});
