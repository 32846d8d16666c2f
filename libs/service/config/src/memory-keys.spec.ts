import { describe, expect, it } from '@jest/globals';

import { SystemRandomness } from '#kernel';
import { FixedClock } from '#testkit/kernel/fixed-clock';

import { RINGS } from './key-file-names.js';
import { MemoryKeys } from './memory-keys.js';

const randomness = new SystemRandomness();
const START = Date.UTC(2026, 0, 1);

describe('keys in memory', () => {
  it('are others in each process, for each purpose, and marked as made for development', () => {
    const clock = new FixedClock(START);
    const [one, other] = [new MemoryKeys({ clock, randomness, first: {} }), new MemoryKeys({ clock, randomness, first: {} })];
    const keys = [one, other].flatMap((each) => [...RINGS.map((name) => each[name].current()), each.index, each.subject.current()]);
    expect(new Set(keys.map(({ key }) => key.reveal().toString('hex'))).size).toBe(2 * (RINGS.length + 2));
    expect(RINGS.map((name) => one[name].current().development)).toEqual(RINGS.map(() => true));
    expect(one.ages()).toEqual(RINGS.map((purpose) => ({ purpose, since: START })));
  });

  it('have the bytes that are given for a file', () => {
    const subject = Buffer.alloc(32, 7);
    const keys = new MemoryKeys({ clock: new FixedClock(START), randomness, first: { subject } });
    expect(keys.subject.current().key.reveal()).toEqual(subject);
  });

  it('that sign ID tokens are made once, at the first use, and are valid at that moment', () => {
    const clock = new FixedClock(START);
    const keys = new MemoryKeys({ clock, randomness, first: {} });
    clock.advance(5_000);
    const [pair] = keys.openid.all();
    expect(pair?.notBefore).toBe(START);
    expect(keys.openid.all()[0]).toBe(pair);
  });
});
