import { describe, expect, it } from '@jest/globals';

import { batchesOf } from '../src/batches.js';

const counting = async function* (to: number, closed: () => void = () => undefined) {
  try {
    for (let number = 1; number <= to; number += 1) yield number;
  } finally {
    closed();
  }
};

describe('batches', () => {
  it('hold every item in order, and at most the given number', async () => {
    const batches: (readonly number[])[] = [];
    for await (const batch of batchesOf(counting(1_000), 64)) batches.push(batch);
    expect(batches.flat()).toEqual(Array.from({ length: 1_000 }, (_, index) => index + 1));
    expect(Math.max(...batches.map(({ length }) => length))).toBeLessThanOrEqual(64);
  });

  it('yield a single item without waiting for more', async () => {
    const held = Promise.withResolvers<void>();
    const slow = async function* () {
      yield 1;
      await held.promise;
    };
    const batches = batchesOf(slow(), 64);
    expect((await batches.next()).value).toEqual([1]);
    held.resolve();
    expect((await batches.next()).done).toBe(true);
  });

  it('fail with the error of their source, after the items before it', async () => {
    const failing = async function* () {
      yield 1;
      throw new Error('the source failed');
    };
    const batches = batchesOf(failing(), 64);
    expect((await batches.next()).value).toEqual([1]);
    await expect(batches.next()).rejects.toThrow('the source failed');
  });

  it('close their source when the consumer stops', async () => {
    const closed = Promise.withResolvers<void>();
    for await (const batch of batchesOf(counting(1_000, closed.resolve), 10)) {
      expect(batch.length).toBeGreaterThan(0);
      break;
    }
    await closed.promise;
  });
});
