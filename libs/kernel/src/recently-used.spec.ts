import { describe, expect, it } from '@jest/globals';

import { RecentlyUsed } from './recently-used.js';

describe('RecentlyUsed', () => {
  it('drops the entry that was used longest ago when one more comes', () => {
    const entries = new RecentlyUsed<string, number>(2);
    entries.set('a', 1);
    entries.set('b', 2);
    entries.get('a');
    entries.set('c', 3);
    expect([...entries.entries()]).toEqual([
      ['c', 3],
      ['a', 1],
    ]);
  });

  it('counts an entry once, however often it is put', () => {
    const entries = new RecentlyUsed<string, number>(2);
    entries.set('a', 1);
    for (let time = 0; time < 5; time++) entries.set('b', time);
    expect([entries.get('a'), entries.get('b')]).toEqual([1, 4]);
  });

  it('reserves no memory for entries that it does not hold', () => {
    // A billion places do not fit into memory.
    const entries = new RecentlyUsed<string, number>(1_000_000_000);
    entries.set('a', 1);
    expect(entries.size).toBe(1);
  });
});
