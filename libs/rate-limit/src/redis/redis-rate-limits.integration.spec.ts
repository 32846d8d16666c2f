import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';

import { afterEach, describe, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';

import { passed, rateLimitsContract } from '../rate-limits.contract.js';
import { RedisRateLimits } from './redis-rate-limits.js';

const url = process.env['REDIS_URL'];
const limit = { name: 'tries', times: 3, seconds: 60 };

const opened: { close(): void }[] = [];
const replica = (at = url ?? ''): RedisRateLimits => {
  const limits = new RedisRateLimits({ url: at });
  opened.push(limits);
  return limits;
};

/** Waits until the replicas are connected: until then each counts for itself. */
const connected = async <Replicas extends readonly RedisRateLimits[]>(...replicas: Replicas): Promise<Replicas> => {
  const probe = replica();
  while ((await passed(limit.times * (replicas.length + 1), limit, randomUUID(), probe, ...replicas)) > limit.times) await nextTurn();
  return replicas;
};

afterEach(() => opened.splice(0).forEach((each) => each.close()));

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
  });
});

describe('RedisRateLimits without Redis', () => {
  rateLimitsContract(async () => replica('redis://127.0.0.1:1'));
});
