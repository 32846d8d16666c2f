import { describe, expect, it } from '@jest/globals';

import { Windows } from './windows.js';

const MINUTE = 60_000;

describe('windows of a minute', () => {
  it('begin with the first event of a key, wherever the others are', () => {
    const windows = new Windows(MINUTE);
    windows.count('other', 0);
    windows.count('key', 59_000);
    expect(windows.count('key', 61_000)).toEqual({ count: 2, left: 58_000 });
    expect(windows.count('key', 118_999)).toEqual({ count: 3, left: 1 });
    expect(windows.count('key', 119_000)).toEqual({ count: 1, left: MINUTE });
  });

  it('count through every moment of many minutes as one window after the other', () => {
    const windows = new Windows(MINUTE);
    let [count, endsAt] = [0, 0];
    for (let now = 0; now < 20 * MINUTE; now += 7_919) {
      if (now >= endsAt) [count, endsAt] = [0, now + MINUTE];
      windows.count(`other ${now}`, now);
      expect(windows.count('key', now)).toEqual({ count: (count += 1), left: endsAt - now });
    }
  });

  it('do not count what is given back, and owe nothing', () => {
    const windows = new Windows(MINUTE);
    windows.count('key', 0);
    windows.giveBack('key', 0);
    windows.giveBack('key', 0);
    windows.giveBack('other', 0);
    expect(windows.count('key', 0).count).toBe(1);
    windows.giveBack('key', MINUTE);
    expect([windows.count('key', MINUTE).count, windows.count('other', MINUTE).count]).toEqual([1, 1]);
  });

  it('of many keys are gone after two minutes', () => {
    const windows = new Windows(MINUTE);
    for (let key = 0; key < 10_000; key += 1) windows.count(`key ${key}`, 0);
    windows.forget(MINUTE - 1);
    expect(windows.size).toBe(10_000);
    windows.forget(MINUTE);
    windows.forget(2 * MINUTE);
    expect(windows.size).toBe(0);
    for (let key = 0; key < 10_000; key += 1) windows.count(`key ${key}`, 2 * MINUTE);
    windows.count('key', 4 * MINUTE);
    expect(windows.size).toBe(1);
  });
});
