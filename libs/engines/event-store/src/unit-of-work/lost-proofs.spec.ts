import { type DomainEvent, SystemRandomness } from '#kernel';
import { FixedClock } from '#testkit/kernel/fixed-clock';
import { ObservedStore } from '#testkit/event-store/unit-of-work/observed-store';

import { type StreamName, streamName } from '../event-store.js';
import { SqliteEventStore } from '../sqlite/sqlite-event-store.js';
import type { StreamType } from './stream-type.js';
import { UnitOfWork } from './unit-of-work.js';

const COUNTER: StreamType<number, 'count', DomainEvent<'Counted'>> = {
  category: 'counter',
  decider: { initial: 0, decide: () => [{ type: 'Counted', data: {} }], evolve: (count) => count + 1 },
};

/** The store with transactions whose looks are taken from memory, and what follows when it has them no more: a server was replaced by an older one. */
describe('looks that a commit proves', () => {
  const clock = new FixedClock();
  const randomness = new SystemRandomness();
  let store: ObservedStore;
  let unit: UnitOfWork;
  let looked: StreamName;
  let seen: number[];
  beforeEach(async () => {
    store = new ObservedStore(new SqliteEventStore({ path: ':memory:', clock }));
    // As a store that other processes write to: only a read tells.
    store.recent = () => undefined;
    unit = new UnitOfWork(store, clock);
    looked = streamName('counter', randomness.uuid());
    seen = [];
    await count(looked);
    await copy('look');
  });
  afterEach(() => store.close());

  const count = (stream: StreamName, by = unit) => by.run(async (streams) => void (await streams.load(COUNTER, stream)).decide('count'));
  const another = () => new UnitOfWork(store, clock);
  const copy = (how: 'look' | 'recall') =>
    unit.run(async (streams) => {
      seen.push((await streams[how](COUNTER, looked)).state);
      (await streams.begin(COUNTER, streamName('counter', randomness.uuid()))).decide('count');
    });
  const loseTransactions = () => void (store.appendTogether = async () => undefined);

  it('are as this process remembers the stream for a minute, and read after it', async () => {
    store.reads.length = 0;
    await copy('look');
    expect([store.reads, unit.remembered(COUNTER, looked)?.state]).toEqual([[], 1]);
    clock.advance(60_001);
    await copy('look');
    expect([store.reads, unit.remembered(COUNTER, looked)?.state]).toEqual([[looked], 1]);
  });

  it('are read again when another process has changed the stream', async () => {
    await count(looked, another());
    seen.length = 0;
    await copy('look');
    expect(seen).toEqual([1, 2]);
  });

  it.each(['look', 'recall'] as const)('are read once the store proves none any more: %s', async (how) => {
    await count(looked, another());
    loseTransactions();
    seen.length = 0;
    await copy(how);
    expect(seen).toEqual([1, 2]);
    expect(unit.remembered(COUNTER, looked)).toBeUndefined();
  });

  it('are not prepared where no commit proves them', async () => {
    loseTransactions();
    await copy('look');
    store.reads.length = 0;
    await unit.prepare(COUNTER, looked);
    expect(store.reads).toEqual([]);
  });

  it('are prepared by a read', async () => {
    await count(looked, another());
    await unit.prepare(COUNTER, looked);
    seen.length = 0;
    await copy('look');
    expect(seen).toEqual([2]);
  });
});
