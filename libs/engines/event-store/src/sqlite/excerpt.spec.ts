import { SystemRandomness } from '#kernel';
import { FixedClock } from '#testkit/kernel/fixed-clock';

import { NO_STREAM, type ReadOptions, streamName } from '../event-store.js';
import { excerpt } from './excerpt.js';
import { SqliteEventStore } from './sqlite-event-store.js';

const DIRECTIONS = ['forwards', 'backwards'] as const;
const optional = [undefined, 0, 1, 2, 3, 4, 5, 6, 7] as const;

/** Every combination of options that makes a difference for a stream of seven events. */
const options: ReadOptions[] = DIRECTIONS.flatMap((direction) =>
  optional.flatMap((from) =>
    optional
      .filter((limit) => limit !== 0)
      .map((limit) => ({ direction, ...(from !== undefined && { from }), ...(limit !== undefined && { limit }) })),
  ),
);

describe('an excerpt of a stream in memory', () => {
  const randomness = new SystemRandomness();
  const path = ':memory:';

  it.each([
    ['whole', async () => undefined],
    ['cut short', (store: SqliteEventStore, stream: never) => store.setRetention(stream, { maxCount: 4 })],
    ['truncated', (store: SqliteEventStore, stream: never) => store.truncateBefore(stream, 3)],
    ['erased', (store: SqliteEventStore, stream: never) => store.tombstone(stream)],
  ])('equals a read of the file: of a %s one', async (_, change) => {
    const store = new SqliteEventStore({ path, clock: new FixedClock() });
    const stream = streamName('test', randomness.uuid());
    await store.append(
      stream,
      NO_STREAM,
      Array.from({ length: 7 }, () => ({ id: randomness.uuid<never>(), type: 'Happened', data: {} })),
    );
    // Makes the store drop the stream from memory, so that it reads the file.
    await store.setRetention(stream, {});
    await change(store, stream as never);
    const fromFile = [];
    for (const each of options) fromFile.push(await store.read(stream, each));
    const all = await store.read(stream);
    expect(options.map((each) => excerpt(all, each))).toEqual(fromFile);
    for (const [index, each] of options.entries()) expect(await store.read(stream, each)).toEqual(fromFile[index]);
    await store.close();
  });
});
