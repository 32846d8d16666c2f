import { randomUUID } from 'node:crypto';

import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';

import { connectRedis, type RedisClient } from '#engines/access';
import { CapturedLog } from '#testkit/engine-access/captured-log';
import { BullmqJobQueue } from '#engines/job-queue';
import { type ClientId, ServiceUnavailable, type SessionId, SystemClock } from '#kernel';
import { eventually } from '#testkit/kernel/eventually';
import { WAKE_UP_QUEUE } from '#domain/push';
import { RedisRateLimits } from '#engines/rate-limit';
import { RedisStatusCache } from '#domain/session';
import { Metrics, SilentLog } from '#telemetry';

import { grantRights } from '../../../../testkit/programs/redis/grant-rights.ts';
import { redisUrl } from '#testkit/job-queue/settings';

const PASSWORD = randomUUID();
const WITH_STATUSES = ['session-api', 'login-bff', 'openid', 'device-api', 'registry', 'signing', 'timers'];
/** The limits of console by their names; the other services may count under any. */
const WITH_LIMITS: readonly (readonly [user: string, limit: string])[] = [
  ...['session-api', 'login-bff', 'openid', 'device-api', 'registry'].map((user) => [user, `test-${user}`] as const),
  ['console', 'portal-logins'],
  ['console', 'calls:GET /portal/v1/session'],
];

(redisUrl() === undefined ? describe.skip : describe)('the rights of the services in Redis (deploy/rights/redis.acl)', () => {
  const clock = new SystemClock();
  const log = new SilentLog();
  const closing: (() => unknown)[] = [];
  const connect = (url: string): RedisClient => {
    const redis = connectRedis({ url, nodes: undefined, passwordFile: undefined, caFile: undefined }, {});
    redis.on('error', () => undefined);
    closing.push(() => redis.disconnect());
    return redis;
  };
  const urlOf = (user: string): string => {
    const url = new URL(redisUrl() ?? '');
    [url.username, url.password] = [user, PASSWORD];
    return url.href;
  };
  const accessOf = (user: string) => ({ url: urlOf(user), nodes: undefined, passwordFile: undefined, caFile: undefined });

  beforeAll(() => grantRights(redisUrl() ?? '', PASSWORD));
  afterEach(async () => {
    for (const close of closing.splice(0)) await close();
  });

  it.each(WITH_STATUSES)('let %s write, read and watch statuses', async (user) => {
    const cache = new RedisStatusCache({ ...accessOf(user), clock, log, history: () => '' });
    closing.push(() => cache.close());
    const sessionId = randomUUID() as SessionId;
    const ends = clock.now() + 60_000;
    const status = { revision: 0, clientId: randomUUID() as ClientId, status: 'PENDING', endsAt: ends, readableUntil: ends } as never;
    const put = async (): Promise<boolean> => {
      try {
        await cache.put(sessionId, status);
        return (await cache.get(sessionId)) !== undefined;
      } catch {
        return false; // the connection is being made
      }
    };
    await eventually(put, { what: `${user} reads what it has written` });
    await expect(cache.watch(sessionId)).resolves.toBeDefined();
  });

  it.each(WITH_LIMITS)('let %s count requests as %s', async (user, name) => {
    const limits = new RedisRateLimits(accessOf(user), () => undefined);
    closing.push(() => limits.close());
    const redis = connect(redisUrl() ?? '');
    const limit = { name, times: 5, seconds: 60 };
    const counted = async (): Promise<boolean> => {
      await limits.take(limit, randomUUID(), 'too many');
      return (await redis.keys(`rate-limit:${limit.name}:*`)).length > 0;
    };
    await eventually(counted, { what: `${user} counts in Redis` });
  });

  it('are missing in the log, once, where the account of another service is used', async () => {
    const captured = new CapturedLog();
    const cache = new RedisStatusCache({ ...accessOf('event-relay'), clock, log: captured, history: () => '' });
    closing.push(() => cache.close());
    const refusals = (): readonly string[] => captured.text.split('\n').filter((line) => line.includes('the user does not have the rights'));
    const asked = async (): Promise<boolean> => {
      await expect(cache.get(randomUUID() as SessionId)).rejects.toThrow(ServiceUnavailable);
      return refusals().length > 0;
    };
    await eventually(asked, { what: 'a line about the rights' });
    await asked();
    expect(refusals()).toHaveLength(1);
    expect(refusals()[0]).toContain('status-cache');
  });

  it.each(['webhook-attempts', 'webhook-attempts-5', WAKE_UP_QUEUE])('let webhook-dispatcher schedule and run jobs of %s', async (queue) => {
    const jobs = await BullmqJobQueue.open({ ...accessOf('webhook-dispatcher'), clock, log, metrics: new Metrics() });
    const stop = new AbortController();
    closing.push(async () => {
      stop.abort();
      await jobs.close();
    });
    const id = randomUUID();
    const done: string[] = [];
    jobs.process(queue, { handler: async (job) => void done.push(job.id), concurrency: 1, signal: stop.signal });
    await eventually(
      () =>
        jobs.schedule(queue, { id, at: 0, payload: { version: 1 } }).then(
          () => true,
          () => false,
        ),
      { what: 'the job is scheduled', within: 20_000 },
    );
    await eventually(async () => done.includes(id), { what: 'the job ran', within: 30_000 });
  });

  it.each([
    ...['session-api', 'device-api', 'timers', 'event-relay', 'console'].map((user) => [
      user,
      ['HGETALL', '{countersign-webhook-attempts}:webhook-attempts:1'],
    ]),
    ...['device-api', 'registry', 'timers'].map((user) => [user, ['HGETALL', `{countersign-${WAKE_UP_QUEUE}}:${WAKE_UP_QUEUE}:1`]]),
    ...['webhook-dispatcher', 'event-relay', 'console'].map((user) => [user, ['GET', 'session-status:{one}:run']]),
    ...['console', 'signing', 'timers', 'webhook-dispatcher'].map((user) => [user, ['INCR', 'rate-limit:pushes:one']]),
    ...['session-api', 'login-bff', 'openid', 'registry', 'console', 'signing'].map((user) => [user, ['DEL', 'proof-id:one']]),
    ...[...WITH_STATUSES, 'webhook-dispatcher', 'event-relay', 'console'].flatMap((user) => [
      [user, ['GET', 'foreign']],
      [user, ['FLUSHALL']],
      [user, ['CONFIG', 'GET', '*']],
      [user, ['ACL', 'LIST']],
      [user, ['KEYS', '*']],
    ]),
  ] as [string, string[]][])('refuse %s the command %j', async (user, [command = '', ...parameters]) => {
    await expect(connect(urlOf(user)).call(command, ...parameters)).rejects.toThrow(/NOPERM/);
  });
});
