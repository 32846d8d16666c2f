import type { EventId } from '#kernel';

import type { Place } from '../event-store.js';
import { KeptMarks, revisionsBefore } from './kept-marks.js';

const mark = (number: number): Place => ({ position: BigInt(number) * 100n, id: `mark ${number}` as EventId });
const numbers = (places: readonly Place[]): number[] => places.map(({ position }) => Number(position) / 100);
const kept = (count: number): KeptMarks => {
  const marks = new KeptMarks();
  for (let number = 1; number <= count; number++) marks.add(mark(number));
  return marks;
};

describe('the marks that a process keeps', () => {
  it('are told at growing distances before a position, the oldest among them', () => {
    expect(numbers(kept(20).upTo(2_050n))).toEqual([1, 4, 12, 16, 18, 19, 20]);
    expect(numbers(kept(20).upTo(599n))).toEqual([1, 3, 4, 5]);
    expect(kept(20).upTo(99n)).toEqual([]);
    expect(new KeptMarks().upTo(99n)).toEqual([]);
  });

  it('are few, and reach back to the first one, after a year of one a minute', () => {
    const told = numbers(kept(525_600).upTo(10n ** 12n));
    expect(told.length).toBeLessThan(12);
    expect([told[0], told.at(-1)]).toEqual([1, 525_600]);
    for (const [index, number] of told.slice(1, -1).entries()) expect(525_600 - number).toBeLessThan(525_600 - told[index]!);
  });

  it.each([0, 1, 7, 40])('end at the last one that a copy with %d of 40 has', async (stored) => {
    const marks = kept(40);
    expect(await marks.dropLacking(async ({ position }) => position <= BigInt(stored) * 100n)).toBe(stored < 40);
    expect(numbers(marks.upTo(10_000n)).at(-1)).toBe(stored === 0 ? undefined : stored);
  });

  it('take no mark twice, and none that is older than the newest one', () => {
    const marks = kept(3);
    marks.add(mark(3));
    marks.add(mark(2));
    marks.seed([mark(0), mark(1)]);
    expect(numbers(marks.upTo(900n))).toEqual([0, 1, 2, 3]);
  });

  it('are looked for in the past at revisions whose distances double', () => {
    expect(revisionsBefore(20)).toEqual([4, 12, 16, 18, 19]);
    expect([revisionsBefore(1), revisionsBefore(0)]).toEqual([[0], []]);
  });
});
