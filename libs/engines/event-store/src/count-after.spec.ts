import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { FixedClock } from '#testkit/kernel/fixed-clock';

import { countAfter } from './count-after.js';
import { NO_STREAM, streamName } from './event-store.js';
import { SqliteEventStore } from './sqlite/sqlite-event-store.js';

const NEVER = new AbortController().signal;
let store: SqliteEventStore;

beforeEach(async () => {
  store = new SqliteEventStore({ path: ':memory:', clock: new FixedClock() });
  const said = { type: 'Said', data: {} };
  for (const id of ['a', 'b']) await store.append(streamName('thing', id), NO_STREAM, [said, said, said]);
  await store.append(streamName('other', 'a'), NO_STREAM, [said]);
});
afterEach(() => store.close());

describe('the count of the events after a place', () => {
  const options = { after: undefined, categories: ['thing'], most: 100, signal: NEVER };

  it('ends at the present end of the store, and leaves out other categories', async () => {
    expect(await countAfter(store, options)).toBe(6);
    const [, second] = await store.read(streamName('thing', 'b'));
    expect(await countAfter(store, { ...options, after: second!.position })).toBe(1);
    expect(await countAfter(store, { ...options, categories: ['none'] })).toBe(0);
  });

  it('leaves out events that do not concern the caller, and goes no further than asked', async () => {
    expect(await countAfter(store, { ...options, concerns: ({ revision }) => revision > 0 })).toBe(4);
    expect(await countAfter(store, { ...options, most: 2 })).toBe(2);
  });

  it('is unknown when the signal comes before the end', async () => {
    expect(await countAfter(store, { ...options, signal: AbortSignal.abort() })).toBeUndefined();
  });
});
