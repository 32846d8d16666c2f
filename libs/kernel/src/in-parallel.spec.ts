import { setImmediate as nextTurn } from 'node:timers/promises';

import { describe, expect, it } from '@jest/globals';

import { inParallel } from './in-parallel.js';

describe('work in parallel', () => {
  it('is done once for each item, at most so many at once', async () => {
    const done: number[] = [];
    let underWay = 0;
    let most = 0;
    await inParallel(Array.from({ length: 20 }).keys(), 3, async (item) => {
      most = Math.max(most, ++underWay);
      await nextTurn();
      underWay -= 1;
      done.push(item);
    });
    expect([most, done]).toEqual([3, Array.from({ length: 20 }).map((_, item) => item)]);
  });

  it('stops with the first failure, when the items under way have ended', async () => {
    const begun: number[] = [];
    const ended: number[] = [];
    const work = inParallel([0, 1, 2, 3, 4, 5], 2, async (item) => {
      begun.push(item);
      await nextTurn();
      if (item === 2) throw new Error('no');
      await nextTurn();
      ended.push(item);
    });
    await expect(work).rejects.toThrow('no');
    expect([begun, ended]).toEqual([
      [0, 1, 2, 3],
      [0, 1, 3],
    ]);
  });
});
