import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';

import { afterEach, describe, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';

import { eventually } from '#testkit/kernel/eventually';

import { grantRights } from '../../../../../testkit/programs/redis/grant-rights.ts';
import { begun, passed, rateLimitsContract } from '#testkit/rate-limit/rate-limits.contract';
import { RateLimited } from '../rate-limited.js';
import { RedisRateLimits } from './redis-rate-limits.js';

const url = process.env['REDIS_URL'];
const limit = { name: 'tries', times: 3, seconds: 60 };

const opened: { close(): void }[] = [];
const refusals: string[] = [];
const replica = (at = url ?? '', lease?: number): RedisRateLimits => {
  const limits = new RedisRateLimits({ url: at }, (reason) => refusals.push(reason), lease);
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

  describe('of runs', () => {
    const newRun = () => ({ name: `runs-${randomUUID()}`, key: '203.0.113.9', reason: 'another run' });
    const admin = (): Redis => {
      const redis = new Redis(url!);
      opened.push({ close: () => redis.disconnect() });
      return redis;
    };
    const keyOf = async (redis: Redis, { name }: { readonly name: string }): Promise<string> => {
      const keys = await redis.keys(`rate-limit:run:${name}:*`);
      expect(keys).toHaveLength(1);
      return keys[0]!;
    };

    it('allow one at a time over all replicas, and the next one at its end', async () => {
      const [one, other] = await connected(replica(), replica());
      const run = newRun();
      const first = await begun(one, run);
      await expect(other.runAlone(run, async () => 'two at once')).rejects.toBeInstanceOf(RateLimited);
      const redis = admin();
      expect(await keyOf(redis, run)).not.toContain('203.0.113.9');
      await first.end();
      expect(await other.runAlone(run, async () => 'next')).toBe('next');
      expect(await redis.keys(`rate-limit:run:${run.name}:*`)).toEqual([]);
    });

    it('hold the key for half a minute at the most after the process has died', async () => {
      const [one, other] = await connected(replica(), replica());
      const run = newRun();
      const redis = admin();
      const first = await begun(one, run);
      const key = await keyOf(redis, run);
      const left = await redis.pttl(key);
      expect(left).toBeGreaterThan(0);
      expect(left).toBeLessThanOrEqual(30_000);
      one.close(); // its process neither prolongs nor frees the lock
      await expect(other.runAlone(run, async () => 'two at once')).rejects.toBeInstanceOf(RateLimited);
      await redis.pexpire(key, 1);
      await eventually(async () => (await other.runAlone(run, async () => 'next').catch(() => undefined)) === 'next');
      await first.end();
    });

    it('prolong the key while the work lasts, and take it again when Redis has lost it', async () => {
      const [one] = await connected(replica(url, 300));
      const run = newRun();
      const redis = admin();
      const first = await begun(one, run);
      const key = await keyOf(redis, run);
      let last = await redis.pttl(key);
      const isProlonged = async (): Promise<boolean> => {
        const [before, left] = [last, await redis.pttl(key)];
        last = left;
        return left > before;
      };
      await eventually(isProlonged, { what: 'the key lives longer' });
      await redis.del(key);
      await eventually(async () => (await redis.exists(key)) === 1, { what: 'the key is back' });
      await first.end();
      expect(await redis.exists(key)).toBe(0);
    });

    it('leave the key to the run that has taken it over', async () => {
      const [one, other] = await connected(replica(), replica());
      const run = newRun();
      const redis = admin();
      const first = await begun(one, run);
      await redis.del(await keyOf(redis, run)); // as if this process had stood still for too long
      const second = await begun(other, run);
      await first.end();
      expect(await redis.exists(await keyOf(redis, run))).toBe(1);
      await second.end();
    });
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
