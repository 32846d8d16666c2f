import { readFile } from 'node:fs/promises';

import { type ClientId, FixedClock } from '#kernel';
import { NO_STREAM, SqliteEventStore } from '#event-store';

import { NAME_COMPARISONS, NameComparisons, type NamesCompared } from './name-comparisons.js';

/** Stored events are read for ever: never change this file, add another one for a new version. */
const GOLDEN = JSON.parse(await readFile(new URL('name-comparisons.v1.json', import.meta.url), 'utf8')) as NamesCompared[];
const DAY = 86_400_000;
const ALIKE = '0191b2a0-0000-7000-8000-000000000002' as ClientId;
const NOTHING_MISSING = { reserved: 0, alike: [] };
const SOME_MISSING = { reserved: 2, alike: [ALIKE] };

let clock: FixedClock;
let store: SqliteEventStore;
let comparisons: NameComparisons;
beforeEach(() => {
  clock = new FixedClock();
  store = new SqliteEventStore({ path: ':memory:', clock });
  comparisons = new NameComparisons(store, clock);
});
afterEach(() => store.close());

const stored = async () => (await store.read<NamesCompared>(NAME_COMPARISONS)).map(({ data }) => data.reserved);
const given = (events: readonly NamesCompared[]) => store.append(NAME_COMPARISONS, NO_STREAM, events);

describe('stored comparisons', () => {
  it('end the work with the one that found every reservation, and name the clients that look alike', async () => {
    await given(GOLDEN);
    expect(await comparisons.alike()).toEqual([ALIKE]);
  });

  it('leave the work open when the newest one found reservations missing', async () => {
    await given(GOLDEN.slice(0, 1));
    expect(await comparisons.alike()).toBeUndefined();
  });

  it('leave the work open when the newest one was made by other rules, until one by these rules is noted', async () => {
    await given([{ ...GOLDEN[1]!, data: { ...GOLDEN[1]!.data, rules: 0 } }]);
    expect(await comparisons.alike()).toBeUndefined();
    await comparisons.note(NOTHING_MISSING, clock.now());
    expect(await comparisons.alike()).toEqual([]);
  });
});

describe('a comparison', () => {
  it('is noted once when it found every reservation', async () => {
    await Promise.all([comparisons.note(NOTHING_MISSING, clock.now()), comparisons.note(NOTHING_MISSING, clock.now())]);
    await comparisons.note(NOTHING_MISSING, clock.now() + 2 * DAY);
    expect(await stored()).toEqual([0]);
  });

  it('ends the work a day after one that found reservations missing, and not before', async () => {
    await comparisons.note(SOME_MISSING, clock.now());
    const ended = clock.now();
    await comparisons.note(NOTHING_MISSING, ended + DAY - 1);
    expect(await comparisons.alike()).toBeUndefined();
    await comparisons.note({ reserved: 0, alike: [ALIKE] }, ended + DAY);
    expect(await comparisons.alike()).toEqual([ALIKE]);
    expect(await stored()).toEqual([2, 0]);
  });

  it('opens the work again when it found reservations missing that a replica beside it did not miss any more', async () => {
    await comparisons.note(NOTHING_MISSING, clock.now());
    await comparisons.note(SOME_MISSING, clock.now());
    expect(await comparisons.alike()).toBeUndefined();
  });

  it('of more look-alikes than an event should hold is not noted', async () => {
    await comparisons.note({ reserved: 0, alike: Array.from({ length: 1_001 }, () => ALIKE) }, clock.now());
    expect(await stored()).toEqual([]);
    await comparisons.note({ reserved: 0, alike: Array.from({ length: 1_000 }, () => ALIKE) }, clock.now());
    expect(await stored()).toEqual([0]);
  });
});
