import { beforeEach, afterEach, describe, expect, it, jest } from '@jest/globals';

import { HeldCommits } from './held-commits.js';

describe('the offsets of a consumer', () => {
  let requests: (readonly (readonly [number, bigint])[])[];
  let fails: boolean;
  let commits: HeldCommits;
  beforeEach(() => {
    jest.useFakeTimers();
    [requests, fails] = [[], false];
    commits = new HeldCommits(async (offsets) => {
      requests.push([...offsets]);
      if (fails) throw new RangeError('refused');
    }, 200);
  });
  afterEach(() => void jest.useRealTimers());

  it('are committed by five requests a second, however many batches there are, and none is left out', async () => {
    for (let batch = 1; batch <= 100; batch++) {
      commits.note(batch % 3, BigInt(batch));
      await jest.advanceTimersByTimeAsync(10);
    }
    await jest.advanceTimersByTimeAsync(200);
    expect(requests).toHaveLength(5);
    expect(requests.at(-1)?.toSorted(([a], [b]) => a - b)).toEqual([
      [0, 99n],
      [1, 100n],
      [2, 98n],
    ]);
  });

  it('cost nothing while no message comes', async () => {
    commits.note(0, 1n);
    await jest.advanceTimersByTimeAsync(60_000);
    expect(requests).toEqual([[[0, 1n]]]);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('are committed at once at the end, after a request that is under way', async () => {
    commits.note(0, 1n);
    await jest.advanceTimersByTimeAsync(200);
    commits.note(0, 2n);
    commits.note(1, 7n);
    await commits.flush();
    expect(requests).toEqual([
      [[0, 1n]],
      [
        [0, 2n],
        [1, 7n],
      ],
    ]);
    await commits.flush();
    expect(requests).toHaveLength(2);
  });

  it('that were refused fail the next batch, and wait on', async () => {
    fails = true;
    commits.note(0, 1n);
    await jest.advanceTimersByTimeAsync(200);
    expect(() => commits.note(1, 1n)).toThrow('refused');
    fails = false;
    await commits.flush();
    expect(requests.at(-1)).toEqual([
      [0, 1n],
      [1, 1n],
    ]);
  });

  it('are forgotten when the partitions may belong to another member', async () => {
    commits.note(0, 1n);
    commits.forget();
    await commits.flush();
    expect(requests).toEqual([]);
  });
});
