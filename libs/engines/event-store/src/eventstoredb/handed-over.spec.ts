import { describe, expect, it } from '@jest/globals';
import type { EventId } from '#kernel';

import { HandedOverEvents } from './handed-over.js';

const handedOver = (count: number): HandedOverEvents => {
  const events = new HandedOverEvents();
  for (let number = 1; number <= count; number++) events.add({ position: BigInt(number) * 100n, id: `event ${number}` as EventId });
  return events;
};

describe('the events handed over', () => {
  it.each([0, 1, 2, 7, 299, 300])('end at the last one that a copy with %d of 300 has', async (stored) => {
    const events = handedOver(300);
    expect(await events.dropLacking(async ({ number }) => number <= stored)).toBe(stored === 300 ? undefined : 300 - stored);
    expect(events.last?.number).toBe(stored === 0 ? undefined : stored);
    expect(await events.dropLacking(async ({ number }) => number <= stored)).toBeUndefined();
  });

  it('are numbered on from the last one that the copy has', async () => {
    const events = handedOver(5);
    await events.dropLacking(async ({ number }) => number <= 2);
    events.add({ position: 900n, id: 'new' as EventId });
    expect(events.last).toEqual({ position: 900n, id: 'new', number: 3 });
  });

  it('end at an earlier one where older ones were forgotten, and never at one that the copy lacks', async () => {
    const events = handedOver(100_000);
    expect(await events.dropLacking(async ({ number }) => number <= 50_000)).toBeGreaterThanOrEqual(50_000);
    expect(events.last!.number).toBeGreaterThan(0);
    expect(events.last!.number).toBeLessThanOrEqual(50_000);
  });

  it('do not count the events passed, and go on after the last of them that the copy has', async () => {
    const events = handedOver(2);
    for (const number of [3, 4]) events.pass({ position: BigInt(number) * 100n, id: `foreign ${number}` as EventId });
    expect(events.last?.position).toBe(400n);
    expect(await events.dropLacking(async ({ position }) => position <= 300n)).toBe(0);
    expect(events.last).toMatchObject({ position: 300n, number: 2 });
    expect(await events.dropLacking(async ({ position }) => position <= 100n)).toBe(1);
  });

  it('take one look-up when the store has the last one', async () => {
    let looks = 0;
    await handedOver(300).dropLacking(async () => ++looks > 0);
    expect(looks).toBe(1);
  });
});
