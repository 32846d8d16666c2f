import { SystemRandomness } from '#kernel';
import { FixedClock } from '#testkit/kernel/fixed-clock';

import { appendFact } from './append-fact.js';
import { EventStoreUnavailable, streamName, StreamTombstoned } from './event-store.js';
import { SqliteEventStore } from './sqlite/sqlite-event-store.js';

describe('appendFact', () => {
  const randomness = new SystemRandomness();
  const clock = new FixedClock();
  const store = new SqliteEventStore({ path: ':memory:', clock });
  afterAll(() => store.close());

  const inbox = () => streamName('inbox', randomness.uuid());
  const arrived = (number: number) => ({ type: 'Arrived', data: { number } });

  it('begins a stream and goes on in it', async () => {
    const stream = inbox();
    await appendFact({ store, clock }, stream, arrived(1));
    await appendFact({ store, clock }, stream, arrived(2));
    expect(await store.read(stream)).toMatchObject([
      { revision: 0, data: { number: 1 } },
      { revision: 1, data: { number: 2 } },
    ]);
  });

  it('stores each of many concurrent events', async () => {
    const stream = inbox();
    await Promise.all(Array.from({ length: 30 }, (_, number) => appendFact({ store, clock }, stream, arrived(number))));
    const numbers = (await store.read(stream)).map(({ data }) => data['number']);
    expect(new Set(numbers).size).toBe(30);
  });

  it('goes on in a stream whose events have all expired', async () => {
    const stream = inbox();
    await store.setRetention(stream, { maxAge: 1 });
    await appendFact({ store, clock }, stream, arrived(1));
    clock.advance(1_000);
    await appendFact({ store, clock }, stream, arrived(2));
    expect(await store.read(stream)).toMatchObject([{ revision: 1, data: { number: 2 } }]);
  });

  it('passes on that the stream is tombstoned', async () => {
    const stream = inbox();
    await store.tombstone(stream);
    await expect(appendFact({ store, clock }, stream, arrived(1))).rejects.toBeInstanceOf(StreamTombstoned);
  });

  it('passes on that the store is unavailable', async () => {
    const closed = new SqliteEventStore({ path: ':memory:', clock });
    await closed.close();
    await expect(appendFact({ store: closed, clock }, inbox(), arrived(1))).rejects.toBeInstanceOf(EventStoreUnavailable);
  });
});
