import { expect, it } from '@jest/globals';

import { Secret, SystemRandomness } from '#kernel';

import { FinishNumbers, isFinishNumber } from './finish-numbers.js';

const numbers = new FinishNumbers(new Secret(Buffer.alloc(32, 7)));
const randomness = new SystemRandomness();

it('is six digits, the same for the same event', () => {
  const shown = Array.from({ length: 1000 }, () => {
    const event = randomness.uuid();
    expect(numbers.shown(event)).toBe(numbers.shown(event));
    return numbers.shown(event);
  });
  expect(shown.filter(isFinishNumber)).toHaveLength(1000);
  expect(new Set(shown).size).toBeGreaterThan(980);
  expect(new Set(shown.map((number) => number[0])).size).toBe(10);
});

it('is the same in every release, so that a login goes on over an upgrade', () => {
  expect(numbers.shown('2a2a2a2a-2a2a-4a2a-8a2a-2a2a2a2a2a2a')).toBe('661028');
});

it('is right only for its event and its key', () => {
  const event = randomness.uuid();
  const number = numbers.shown(event);
  expect(numbers.isShown(event, number)).toBe(true);
  expect(numbers.isShown(event, String((Number(number) + 1) % 1_000_000).padStart(6, '0'))).toBe(false);
  const others = Array.from({ length: 100 }, () => numbers.isShown(randomness.uuid(), number));
  expect(others.filter(Boolean).length).toBeLessThan(3);
  const events = Array.from({ length: 20 }, () => randomness.uuid());
  const otherKey = new FinishNumbers(new Secret(Buffer.alloc(32, 8)));
  expect(events.map((each) => otherKey.shown(each))).not.toEqual(events.map((each) => numbers.shown(each)));
});

it.each([undefined, null, 123456, '', '12345', '1234567', '12345a', ' 123456', '123456\n', '１２３４５６', ['123456'], {}])('is not %j', (text) => {
  expect(isFinishNumber(text)).toBe(false);
});
