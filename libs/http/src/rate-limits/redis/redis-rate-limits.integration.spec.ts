import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';

import { afterAll, describe, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';

import { RateLimited } from '../../rate-limited.js';
import { RedisRateLimits } from './redis-rate-limits.js';

const url = process.env['REDIS_URL'];

const opened: { close(): void }[] = [];
const replica = (at = url ?? ''): RedisRateLimits => {
  const limits = new RedisRateLimits(at);
  opened.push(limits);
  return limits;
};

afterAll(() => opened.forEach((each) => each.close()));

const limit = { name: 'tries', times: 3, seconds: 60 };
const address = '203.0.113.9';

/** How many of so many tries are let pass. */
const passed = async (tries: number, key: string, ...replicas: readonly RedisRateLimits[]): Promise<number> => {
  const outcomes = await Promise.allSettled(Array.from({ length: tries }, (_, at) => replicas[at % replicas.length]!.take(limit, key, 'too many tries')));
  for (const outcome of outcomes) if (outcome.status === 'rejected') expect(outcome.reason).toBeInstanceOf(RateLimited);
  return outcomes.filter(({ status }) => status === 'fulfilled').length;
};

describe('rate limits on Redis', () => {
  (url === undefined ? it.skip : it)('count over all replicas, and keep nothing but digests', async () => {
    const replicas = [replica(), replica()] as const;
    while (!(await areConnected(...replicas))) await nextTurn();
    const key = `${address} ${randomUUID()}`;
    expect(await passed(20, key, ...replicas)).toBe(limit.times);
    const redis = new Redis(url!);
    opened.push({ close: () => redis.disconnect() });
    const kept = await redis.keys('rate-limit:*');
    expect(kept.length).toBeGreaterThan(0);
    for (const name of kept) expect(name).not.toContain(address);
  });

  it('count in each replica while Redis is away', async () => {
    expect(await passed(20, address, replica('redis://127.0.0.1:1'))).toBe(limit.times);
  });
});

/** Until they are, each counts by itself. */
const areConnected = async (...replicas: readonly RedisRateLimits[]): Promise<boolean> => (await passed(2 * limit.times, randomUUID(), ...replicas)) === limit.times;
