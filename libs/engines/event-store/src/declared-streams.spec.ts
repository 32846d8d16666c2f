import { knownEvents } from '#kernel';
import { FixedClock } from '#testkit/kernel/fixed-clock';

import { DeclaredStreams } from './declared-streams.js';
import { NO_STREAM, streamName } from './event-store.js';
import { SqliteEventStore } from './sqlite/sqlite-event-store.js';

type Said = { readonly type: 'Said' | 'Summed'; readonly data: { readonly word: string } };

const terms = {
  owner: 'libs/example',
  ids: ['<id>'],
  events: knownEvents<Said>(1, { Said: true, Summed: true }),
  sealed: false,
  guarded: [],
} as const;
const words = new DeclaredStreams({ ...terms, category: 'word' });
const shortened = new DeclaredStreams({
  ...terms,
  category: 'shortened',
  retention: { maxAge: ({ seconds }: { readonly seconds: number }) => seconds, truncatedBefore: ['Summed'], tombstoned: 'at the end' },
});

describe('DeclaredStreams', () => {
  const clock = new FixedClock();
  const store = new SqliteEventStore({ path: ':memory:', clock });
  afterAll(() => store.close());
  const said = (word: string, type: Said['type'] = 'Said') => ({ type, data: { word } });

  it('names the streams of its category', () => {
    expect(words.of('a-b')).toBe('word-a-b');
  });

  it('keeps events for the age that the stream is given', async () => {
    const stream = shortened.of('aged');
    await shortened.retain(store, stream, { seconds: 2 });
    await store.append(stream, NO_STREAM, [said('one')]);
    clock.advance(2_000);
    expect(await store.read(stream)).toEqual([]);
  });

  it('truncates before the newest event of a type, and not where the stream shows none', async () => {
    const stream = shortened.of('truncated');
    await store.append(stream, NO_STREAM, [said('one'), said('two')]);
    await shortened.truncateBeforeNewest(store, stream, 'Summed');
    expect(await store.read(stream)).toHaveLength(2);
    await store.append(stream, 1, [said('one', 'Summed'), said('two', 'Summed')]);
    await shortened.truncateBeforeNewest(store, stream, 'Summed');
    expect(await store.read(stream)).toMatchObject([{ revision: 3 }]);
  });

  it('closes a stream', async () => {
    const stream = shortened.of('closed');
    await store.append(stream, NO_STREAM, [said('one')]);
    await shortened.tombstone(store, stream);
    expect(await store.read(stream)).toEqual([]);
  });

  it('refuses each loss that is not declared', async () => {
    const stream = words.of('kept');
    await store.append(stream, NO_STREAM, [said('one'), said('two')]);
    await expect(words.retain(store, stream)).rejects.toThrow('no age or number is declared for the streams of word');
    await expect(words.truncateBefore(store, stream, 1)).rejects.toThrow('no truncation is declared for the streams of word');
    await expect(words.truncateBeforeNewest(store, stream, 'Said')).rejects.toThrow('no truncation is declared for the streams of word');
    await expect(words.tombstone(store, stream)).rejects.toThrow('no tombstone is declared for the streams of word');
    expect(await store.read(stream)).toHaveLength(2);
  });

  it('refuses a stream of another category', async () => {
    const other = streamName('other', 'a');
    await expect(shortened.tombstone(store, other)).rejects.toThrow('other-a is no stream of shortened');
    await expect(shortened.retain(store, other, { seconds: 1 })).rejects.toThrow('other-a is no stream of shortened');
    await expect(shortened.truncateBefore(store, other, 0)).rejects.toThrow('other-a is no stream of shortened');
  });

  it('tells how its streams lose their first events', () => {
    const shorteningOf = (retention: object) => new DeclaredStreams({ ...terms, category: 'any', retention }).shortening;
    expect(words.shortening).toBeUndefined();
    expect(shorteningOf({ tombstoned: 'at the end' })).toBeUndefined();
    expect(shorteningOf({ maxAge: 1, maxCount: 1 })).toBe('aged');
    expect(shorteningOf({ maxCount: 1 })).toBe('truncated');
    expect(shorteningOf({ truncatedBefore: ['Said'] })).toBe('truncated');
  });
});
