import { type Decider, type DomainEvent, knownEvents, SystemRandomness } from '#kernel';
import { FixedClock } from '#testkit/kernel/fixed-clock';
import { authenticated } from '#testkit/event-store/authenticated';

import { type EventStore, NO_STREAM, SqliteEventStore, type StreamName, streamName, type StreamType, UnitOfWork } from '../index.js';

type Counted = DomainEvent<'Counted', { readonly by: number }>;

/** Refuses a total of more than 100. */
const decider: Decider<number, number, Counted> = {
  initial: 0,
  knows: knownEvents<Counted>(1, { Counted: true }),
  decide: (by, total) => (total + by > 100 ? [] : [{ type: 'Counted', data: { by } }]),
  evolve: (total, { data }) => total + data.by,
};
const COUNTER: StreamType<number, number, Counted> = { category: 'counter', decider };

/** A process over a store that becomes an older copy, in which another process has brought the stream to the revision that this process remembers. */
describe('a stream that has come as far in a restored copy as before', () => {
  const clock = new FixedClock();
  let stores: SqliteEventStore[];
  let stream: StreamName;
  let current: { store: EventStore; continuity: number };
  let unit: UnitOfWork;

  const open = (): SqliteEventStore => {
    const store = new SqliteEventStore({ path: ':memory:', clock });
    stores.push(store);
    return store;
  };
  const count = (by: number, counting = unit): Promise<number> =>
    counting.run(async (streams) => {
      const counted = await streams.load(COUNTER, stream);
      counted.decide(by);
      return counted.state;
    });

  beforeEach(async () => {
    stores = [];
    stream = streamName('counter', new SystemRandomness().uuid());
    current = { store: open(), continuity: 0 };
    const replaceable = new Proxy(current.store, {
      get: (_target, name) => {
        if (name === 'continuity') return current.continuity;
        // As over a network, nothing is known without a read.
        if (name === 'recent') return () => undefined;
        const member: unknown = Reflect.get(current.store, name);
        return typeof member === 'function' ? (member.bind(current.store) as unknown) : member;
      },
    });
    unit = new UnitOfWork(authenticated(replaceable), clock);
    await count(10);
    const [first] = await current.store.read(stream);
    const copy = open();
    await copy.append(stream, NO_STREAM, [{ type: first!.type, data: first!.data, metadata: first!.metadata! }], { ids: [first!.id] });
    // Lost.
    for (const by of [1, 1]) await count(by);
    const other = new UnitOfWork(authenticated(copy), clock);
    for (const by of [40, 40]) await count(by, other);
    current.store = copy;
    current.continuity += 1;
  });
  afterEach(() => Promise.all(stores.map((store) => store.close())));

  const total = async (): Promise<number> => {
    const reader = new UnitOfWork(authenticated(current.store), clock);
    return (await reader.read(COUNTER, stream)).state;
  };

  it('is decided on as the copy has it, not as it was remembered', async () => {
    await count(20);
    expect(await total()).toBe(90);
  });

  it('is linked to the event of the copy: no reader refuses it', async () => {
    expect(await count(5)).toBe(95);
    expect(await total()).toBe(95);
    expect(await current.store.read(stream)).toHaveLength(4);
  });
});
