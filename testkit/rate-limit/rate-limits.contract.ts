import { randomUUID } from 'node:crypto';

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { RateLimited } from '#engines/rate-limit';
import type { Limit, RateLimits, Run } from '#engines/rate-limit';

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

  describe('of runs', () => {
    let run: Run;
    beforeEach(() => {
      run = { name: 'runs', key, reason: 'another run' };
    });

    it('allow one at a time and refuse the others with the reason and the time until the next try', async () => {
      const first = await begun(limits, run);
      const refused = await limits.runAlone(run, unexpected).catch((error: unknown) => error);
      expect(refused).toBeInstanceOf(RateLimited);
      expect(refused).toMatchObject({ reason: 'another run', limit: 1 });
      expect((refused as RateLimited).retryAfter).toBeGreaterThan(0);
      await first.end();
    });

    it('allow one of those that begin at once', async () => {
      const { promise: end, resolve } = Promise.withResolvers<string>();
      const runs = Array.from({ length: 10 }, () => limits.runAlone(run, () => end).catch((error: unknown) => error));
      const refused = await Promise.race(runs);
      expect(refused).toBeInstanceOf(RateLimited);
      resolve('done');
      expect((await Promise.all(runs)).filter((outcome) => outcome === 'done')).toHaveLength(1);
    });

    it('allow the next one after the end, and answer what the work answers', async () => {
      for (const answer of [1, 2, 3]) expect(await limits.runAlone(run, async () => answer)).toBe(answer);
    });

    it('allow the next one after an error, and throw the error of the work', async () => {
      const fail = async (): Promise<never> => {
        throw new TypeError('broken');
      };
      await expect(limits.runAlone(run, fail)).rejects.toThrow(new TypeError('broken'));
      const failAtOnce = (): never => {
        throw new TypeError('broken at once');
      };
      await expect(limits.runAlone(run, failAtOnce)).rejects.toThrow(new TypeError('broken at once'));
      expect(await limits.runAlone(run, async () => 'next')).toBe('next');
    });

    it('do not hold back those of another key or name, nor does a refused one end the run', async () => {
      const first = await begun(limits, run);
      expect(await limits.runAlone({ ...run, key: randomUUID() }, async () => 'other key')).toBe('other key');
      expect(await limits.runAlone({ ...run, name: 'other' }, async () => 'other name')).toBe('other name');
      for (let time = 0; time < 3; time++) await expect(limits.runAlone(run, unexpected)).rejects.toBeInstanceOf(RateLimited);
      await first.end();
    });
  });
};

const unexpected = async (): Promise<never> => {
  throw new Error('two runs at once');
};

/** A run under way. */
export const begun = async (limits: RateLimits, run: Run): Promise<{ readonly end: () => Promise<void> }> => {
  const { promise: started, resolve: start } = Promise.withResolvers<void>();
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  const running = limits.runAlone(run, () => (start(), ended));
  await Promise.race([started, running]);
  return { end: () => (end(), running) };
};
