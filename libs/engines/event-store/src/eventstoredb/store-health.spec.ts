import { describe, expect, it } from '@jest/globals';

import { FixedClock } from '#testkit/kernel/fixed-clock';

import { StoreHealth, TOLERATED } from './store-health.js';

const make = () => {
  const clock = new FixedClock();
  const counts = { reads: 0, appends: 0 };
  const store = { reads: true, appends: true };
  const answer = (works: boolean): Promise<void> => (works ? Promise.resolve() : Promise.reject(new Error('unavailable')));
  const health: StoreHealth = new StoreHealth(clock, {
    read: async () => {
      counts.reads += 1;
      if (!store.reads) health.readFailed();
      await answer(store.reads);
      health.readAnswered();
    },
    append: async () => {
      counts.appends += 1;
      await answer(store.appends);
      health.appendAnswered();
    },
  });
  const isReady = (): Promise<boolean> =>
    health.check().then(
      () => true,
      () => false,
    );
  return { clock, counts, store, health, isReady };
};

describe('the health of the store', () => {
  it('is unknown until the first answer, for which it looks', async () => {
    const { store, isReady, counts } = make();
    store.reads = false;
    expect(await isReady()).toBe(false);
    store.reads = true;
    expect(await isReady()).toBe(true);
    expect(counts).toEqual({ reads: 2, appends: 0 });
  });

  it('costs nothing while requests are answered', async () => {
    const { clock, counts, health, isReady } = make();
    for (let second = 0; second < 60; second++) {
      health.appendAnswered();
      clock.advance(1_000);
      expect(await isReady()).toBe(true);
    }
    expect(counts).toEqual({ reads: 0, appends: 0 });
  });

  it('of an idle process costs one read at a time and never an append', async () => {
    const { clock, counts, health, isReady } = make();
    health.readAnswered();
    for (let second = 0; second < 60; second++) {
      clock.advance(1_000);
      expect(await Promise.all([isReady(), isReady()])).toEqual([true, true]);
    }
    expect(counts).toEqual({ reads: 12, appends: 0 });
  });

  it('stays good for 20 s from the first failure on, is bad then, and good with the next answer', async () => {
    const { clock, store, health, isReady } = make();
    health.readAnswered();
    clock.advance(3_600_000); // the process has been idle for an hour
    store.reads = false;
    expect(await isReady()).toBe(true);
    clock.advance(TOLERATED - 1);
    expect(await isReady()).toBe(true);
    clock.advance(1);
    expect(await isReady()).toBe(false);
    store.reads = true;
    expect(await isReady()).toBe(true);
  });

  it('is bad when reads are answered but no append for 20 s, and good when a repeated append is', async () => {
    const { clock, counts, store, health, isReady } = make();
    store.appends = false;
    health.appendFailed();
    for (let second = 0; second < 20; second++) {
      health.readAnswered();
      expect(await isReady()).toBe(true);
      clock.advance(1_000);
    }
    health.appendFailed();
    health.readAnswered();
    expect(await isReady()).toBe(false);
    store.appends = true;
    expect(await isReady()).toBe(true);
    expect(counts.appends).toBe(2);
    expect(await isReady()).toBe(true);
    expect(counts.appends).toBe(2);
  });
});
