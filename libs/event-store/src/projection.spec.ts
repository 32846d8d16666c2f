import { FixedClock } from '#kernel';

import { NO_STREAM, type RecordedEvent, streamName } from './event-store.js';
import { history, historyBefore, Projection } from './projection.js';
import { SqliteEventStore } from './sqlite/sqlite-event-store.js';
import { withholdNewest } from './testing/withhold-newest.js';

let store: SqliteEventStore;
beforeEach(() => {
  store = new SqliteEventStore({ path: ':memory:', clock: new FixedClock() });
});
afterEach(() => store.close());

const append = async (name: string) => {
  const stream = streamName('thing', name);
  await store.append(stream, NO_STREAM, [{ type: 'Made', data: {} }]);
};

describe('a projection', () => {
  it('is ready when it has seen the history, and then goes on', async () => {
    await append('old');
    const seen: string[] = [];
    const stopping = new AbortController();
    const next = Promise.withResolvers<void>();
    const apply = ({ stream }: RecordedEvent): void => {
      seen.push(stream);
      if (stream === 'thing-new') next.resolve();
    };
    const projection = new Projection(store, ['thing'], apply, stopping.signal);
    await projection.ready;
    expect(seen).toEqual(['thing-old']);
    await append('new');
    await next.promise;
    expect(seen).toEqual(['thing-old', 'thing-new']);
    stopping.abort();
  });

  it('is no longer ready once it has failed', async () => {
    const failed = Promise.withResolvers<void>();
    const apply = (): void => {
      failed.resolve();
      throw new Error('a read model that is wrong');
    };
    const projection = new Projection(store, ['thing'], apply, new AbortController().signal);
    await projection.ready;
    await append('new');
    await failed.promise;
    await new Promise(setImmediate);
    await expect(projection.ready).rejects.toThrow('the projection of thing failed');
  });
});

describe('history', () => {
  it('yields the events stored before the call, and ends', async () => {
    await append('one');
    await append('two');
    const seen: string[] = [];
    for await (const { stream } of history(store, ['thing'])) seen.push(stream);
    expect(seen).toEqual(['thing-one', 'thing-two']);
  });
});

describe('the history before an event', () => {
  it('misses none, although the subscription says too early that it has caught up, and ends before that event', async () => {
    for (const name of ['one', 'two', 'three', 'four']) await append(name);
    const [third] = await store.read(streamName('thing', 'three'));
    withholdNewest(store, 3);
    const seen: string[] = [];
    for await (const { stream } of historyBefore(store, ['thing'], third!)) seen.push(stream);
    expect(seen).toEqual(['thing-one', 'thing-two']);
  });
});
