import { FixedClock } from '#testkit/kernel/fixed-clock';

import { NO_STREAM, streamName } from './event-store.js';
import { history } from './history.js';
import { SqliteEventStore } from './sqlite/sqlite-event-store.js';

let store: SqliteEventStore;
beforeEach(() => {
  store = new SqliteEventStore({ path: ':memory:', clock: new FixedClock() });
});
afterEach(() => store.close());

const append = async (name: string) => {
  const stream = streamName('thing', name);
  await store.append(stream, NO_STREAM, [{ type: 'Made', data: {} }]);
};

describe('history', () => {
  it('yields the events stored before the call, and ends', async () => {
    await append('one');
    await append('two');
    const seen: string[] = [];
    for await (const { stream } of history(store, ['thing'])) seen.push(stream);
    expect(seen).toEqual(['thing-one', 'thing-two']);
  });
});
