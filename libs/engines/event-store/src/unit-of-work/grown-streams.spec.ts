import { type Decider, type DomainEvent, knownEvents } from '#kernel';
import { FixedClock } from '#testkit/kernel/fixed-clock';

import { CommandHandler } from '../command-handler.js';
import { type EventStore, NO_STREAM, type ReadOptions, type RecordedEvent, type StreamName, streamName } from '../event-store.js';
import { ForwardingEventStore } from '../forwarding-event-store.js';
import { NewerEventStored } from '../newer-event.js';
import { SqliteEventStore } from '../sqlite/sqlite-event-store.js';
import type { StreamType } from './stream-type.js';
import { UnitOfWork } from './unit-of-work.js';

type Added = DomainEvent<'Added', { readonly amount: number }>;

const STREAM = streamName('sum', 'all');

/** Hides the newest events, as a store that was restored from an older copy does, and counts what it answers. */
class ShownUpTo extends ForwardingEventStore {
  most = Number.MAX_SAFE_INTEGER;
  answered = 0;

  override async read<Event extends DomainEvent = DomainEvent>(stream: StreamName, options?: ReadOptions): Promise<readonly RecordedEvent<Event>[]> {
    const all = await this.store.read<Event>(stream, options);
    const events = this.most === Number.MAX_SAFE_INTEGER ? all : all.filter(({ revision }) => revision <= this.most);
    this.answered += events.length;
    return events;
  }

  /** Whether it shows what the store has in memory. */
  remembers = false;

  override recent<Event extends DomainEvent = DomainEvent>(stream: StreamName): readonly RecordedEvent<Event>[] | undefined {
    return this.remembers ? this.store.recent<Event>(stream) : undefined;
  }
}

let sqlite: EventStore;
let store: ShownUpTo;
let evolved: number;
let sums: CommandHandler<number, number, Added>;
beforeEach(() => {
  const clock = new FixedClock();
  sqlite = new SqliteEventStore({ path: ':memory:', clock });
  store = new ShownUpTo(sqlite);
  evolved = 0;
  const decider: Decider<number, number, Added> = {
    initial: 0,
    knows: knownEvents<Added>(1, { Added: true }),
    decide: (amount) => [{ type: 'Added', data: { amount } }],
    evolve: (sum, { data }) => {
      evolved += 1;
      return sum + data.amount;
    },
  };
  const type: StreamType<number, number, Added> = { category: 'sum', decider, grows: true };
  sums = new CommandHandler(new UnitOfWork(store, clock), type);
});
afterEach(() => sqlite.close());

const given = async (count: number): Promise<void> => {
  const [last] = await sqlite.read(STREAM, { direction: 'backwards', limit: 1 });
  const events = Array.from({ length: count }, () => ({ type: 'Added', data: { amount: 1 } }));
  await sqlite.append(STREAM, last?.revision ?? NO_STREAM, events);
};
/** The state, and how many events its read has answered and folded. */
const read = async () => {
  [store.answered, evolved] = [0, 0];
  const { state } = await sums.load(STREAM);
  return { state, answered: store.answered, evolved };
};

describe('a stream that grows', () => {
  it('is read from its start once, then from the event on that was its last', async () => {
    await given(1_000);
    expect(await read()).toEqual({ state: 1_000, answered: 1_000, evolved: 1_000 });
    for (let time = 0; time < 3; time += 1) expect(await read()).toEqual({ state: 1_000, answered: 1, evolved: 0 });
    await given(2);
    expect(await read()).toEqual({ state: 1_002, answered: 3, evolved: 2 });
    expect(await read()).toEqual({ state: 1_002, answered: 1, evolved: 0 });
  });

  it('is so read from its tenth event on as from its thousandth, where the store does not have it in memory', async () => {
    for (const length of [10, 60]) {
      await given(length);
      await read();
      expect(await read()).toMatchObject({ answered: 1, evolved: 0 });
    }
  });

  it('is neither read from the file nor folded again where the store has it in memory', async () => {
    store.remembers = true;
    await given(60);
    await read();
    expect(store.recent(STREAM)).toHaveLength(60);
    expect(await read()).toEqual({ state: 60, answered: 60, evolved: 0 });
  });

  it('costs a change the same, whatever its length', async () => {
    const cost = async (): Promise<number> => {
      store.answered = 0;
      await sums.handle(STREAM, () => 1);
      return store.answered;
    };
    await given(200);
    await read();
    await cost();
    const early = await cost();
    await given(5_000);
    await read();
    await cost();
    expect(await cost()).toBe(early);
    expect((await read()).state).toBe(5_204);
  });

  it('shows what the store has, also when that is less than it was', async () => {
    await given(500);
    await read();
    store.most = 399;
    expect((await read()).state).toBe(400);
    store.most = 449;
    expect((await read()).state).toBe(450);
  });

  it('tells of an event that only a newer release knows', async () => {
    await given(200);
    await read();
    await sqlite.append(STREAM, 199, [{ type: 'Doubled', data: {} }]);
    const loaded = await sums.load(STREAM);
    expect([loaded.newer?.type, loaded.state]).toEqual(['Doubled', 200]);
    await expect(sums.handle(STREAM, () => 1)).rejects.toThrow(NewerEventStored);
  });

  it('loses no change of many at once', async () => {
    await given(150);
    await Promise.all(Array.from({ length: 40 }, () => sums.handle(STREAM, () => 1)));
    expect((await read()).state).toBe(190);
  });
});
