import { describe, expect, it } from '@jest/globals';

import { MemoryRateLimits } from '#engines/rate-limit';

import { FailureThrottle } from './failure-throttle.js';

const ADDRESS = '192.0.2.1';

describe('a throttle of failures', () => {
  const limit = 3;
  const guarded = async (check: () => Promise<object | undefined>, times: number): Promise<readonly unknown[]> => {
    const throttle = new FailureThrottle(new MemoryRateLimits(), 'guesses', limit);
    const ends: unknown[] = [];
    for (let call = 0; call < times; call++) {
      const end = throttle.guard(ADDRESS, check).catch((error: { code?: string; message: string }) => error.code ?? error.message);
      ends.push(await end);
    }
    return ends;
  };

  it('ends the checks at an address after its failures', async () => {
    expect(await guarded(async () => undefined, 5)).toEqual([undefined, undefined, undefined, 'rate_limited', 'rate_limited']);
  });

  it('does not count what succeeds', async () => {
    expect(await guarded(async () => ({}), 5)).toEqual([{}, {}, {}, {}, {}]);
  });

  it('does not count a check that could not judge, such as during a failure of the store', async () => {
    const unjudged = async (): Promise<undefined> => {
      throw new Error('no answer from the store');
    };
    expect(await guarded(unjudged, 5)).toEqual(Array(5).fill('no answer from the store'));
  });
});
