import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';

import { afterEach, describe, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';

import { eventually } from '#kernel/testing';

import { grantRights } from '../../../../tools/redis/grant-rights.ts';
import { passed, rateLimitsContract } from '../rate-limits.contract.js';
import { RedisRateLimits } from './redis-rate-limits.js';

const url = process.env['REDIS_URL'];
const limit = { name: 'tries', times: 3, seconds: 60 };

const opened: { close(): void }[] = [];
const refusals: string[] = [];
const replica = (at = url ?? ''): RedisRateLimits => {
  const limits = new RedisRateLimits({ url: at }, (reason) => refusals.push(reason));
  opened.push(limits);
  return limits;
};

/** Waits until the replicas are connected: until then each counts for itself. */
const connected = async <Replicas extends readonly RedisRateLimits[]>(...replicas: Replicas): Promise<Replicas> => {
  const probe = replica();
  while ((await passed(limit.times * (replicas.length + 1), limit, randomUUID(), probe, ...replicas)) > limit.times) await nextTurn();
  return replicas;
};

afterEach(() => {
  opened.splice(0).forEach((each) => each.close());
  refusals.length = 0;
});

(url === undefined ? describe.skip : describe)('RedisRateLimits', () => {
  rateLimitsContract(async () => (await connected(replica()))[0]);

  it('count over all replicas and keep only digests of the keys', async () => {
    const replicas = await connected(replica(), replica());
    const address = `203.0.113.9 ${randomUUID()}`;
    expect(await passed(20, limit, address, ...replicas)).toBe(limit.times);
    const redis = new Redis(url!);
    opened.push({ close: () => redis.disconnect() });
    const kept = await redis.keys('rate-limit:*');
    expect(kept.length).toBeGreaterThan(0);
    for (const name of kept) expect(name).not.toContain('203.0.113.9');
    expect(refusals).toEqual([]);
  });

  it.each([
    ['lacks the right to count', randomUUID(), 'the user does not have the rights that this service needs'],
    ['has another password', undefined, 'the engine refuses the user or the password: check the user in REDIS_URL and REDIS_PASSWORD_FILE'],
  ])('counts for a replica alone when its account %s, and the log says so once', async (_, password, reason) => {
    const granted = password ?? randomUUID();
    await grantRights(url!, granted);
    const address = Object.assign(new URL(url!), { username: 'signing', password: password ?? 'guessed' });
    const alone = replica(address.href);
    await eventually(async () => {
      expect(await passed(2 * limit.times, limit, randomUUID(), alone)).toBe(limit.times);
      return refusals.length > 0;
    });
    expect(await passed(2 * limit.times, limit, randomUUID(), alone)).toBe(limit.times);
    expect(refusals).toEqual([reason]);
  });
});

describe('RedisRateLimits without Redis', () => {
  rateLimitsContract(async () => replica('redis://127.0.0.1:1'));
});
