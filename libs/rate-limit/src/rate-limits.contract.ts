import { randomUUID } from 'node:crypto';

import { afterEach, beforeEach, expect, it } from '@jest/globals';

import { RateLimited } from './rate-limited.js';
import type { Limit, RateLimits } from './rate-limits.js';

/** Makes that many tries at once, spread over the replicas, and answers how many pass. The others must be refused with RateLimited. */
export const passed = async (tries: number, limit: Limit, key: string, ...replicas: readonly RateLimits[]): Promise<number> => {
  const outcomes = await Promise.allSettled(Array.from({ length: tries }, (_, at) => replicas[at % replicas.length]!.take(limit, key, 'too many')));
  for (const outcome of outcomes) if (outcome.status === 'rejected') expect(outcome.reason).toBeInstanceOf(RateLimited);
  return outcomes.filter(({ status }) => status === 'fulfilled').length;
};

/** The guarantees of every implementation. `open` resolves when counting has begun where the implementation keeps its counts. */
export const rateLimitsContract = (open: () => Promise<RateLimits>): void => {
  const limit: Limit = { name: 'tries', times: 3, seconds: 60 };
  let limits: RateLimits;
  let key: string;

  beforeEach(async () => {
    limits = await open();
    key = randomUUID();
  });
  afterEach(() => limits.close());

  it('allows as many events as the limit says, one after the other or at once', async () => {
    for (let time = 0; time < limit.times; time++) await limits.take(limit, key, 'too many');
    expect(await passed(10, limit, key, limits)).toBe(0);
    expect(await passed(10, limit, randomUUID(), limits)).toBe(limit.times);
  });

  it('refuses with the reason, the limit and the time until the next try', async () => {
    await passed(limit.times, limit, key, limits);
    const refused = await limits.take(limit, key, 'too many').catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(RateLimited);
    expect(refused).toMatchObject({ reason: 'too many', limit: limit.times });
    const { retryAfter } = refused as RateLimited;
    expect(retryAfter).toBeGreaterThan(0);
    expect(retryAfter).toBeLessThanOrEqual(limit.seconds);
  });

  it('an event that is given back is not counted', async () => {
    for (let time = 0; time < 5 * limit.times; time++) {
      await limits.take(limit, key, 'too many');
      await limits.giveBack(limit, key);
    }
    expect(await passed(10, limit, key, limits)).toBe(limit.times);
  });

  it('counts each key and each limit name separately', async () => {
    await passed(limit.times, limit, key, limits);
    expect(await passed(1, limit, randomUUID(), limits)).toBe(1);
    expect(await passed(1, { ...limit, name: 'others' }, key, limits)).toBe(1);
  });
};
