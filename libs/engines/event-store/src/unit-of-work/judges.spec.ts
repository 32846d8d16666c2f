import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { type Decider, DomainError, type DomainEvent, knownEvents } from '#kernel';
import { FixedClock } from '#testkit/kernel/fixed-clock';
import { STORE_ENGINES } from '#testkit/event-store/store-engines';
import { ObservedStore } from '#testkit/event-store/unit-of-work/observed-store';

import { streamName } from '../event-store.js';
import type { Judge } from './judges.js';
import type { StreamType } from './stream-type.js';
import { UnitOfWork } from './unit-of-work.js';

type Counted = DomainEvent<'Counted', { by: number }>;

const counter: Decider<number, number, Counted> = {
  initial: 0,
  knows: knownEvents<Counted>(1, { Counted: true }),
  decide: (by) => (by === 0 ? [] : [{ type: 'Counted', data: { by } }]),
  evolve: (total, { data }) => total + data.by,
};
const COUNTER: StreamType<number, number, Counted> = { category: 'counter', decider: counter };
const [RIGHT, OBJECT, OTHER] = [streamName('counter', 'right'), streamName('counter', 'object'), streamName('counter', 'other')];

class Gone extends DomainError {
  readonly code = 'forbidden';
}

describe.each(STORE_ENGINES)('the works of a request that is judged, on $engine,', ({ open, hasTransactions }) => {
  let store: ObservedStore;
  let unit: UnitOfWork;
  let asked: number;
  beforeEach(async () => {
    const clock = new FixedClock();
    store = new ObservedStore(await open(clock));
    unit = new UnitOfWork(store, clock);
    asked = 0;
  });
  afterEach(() => store.close());

  /** The right is there as long as its stream counts to 1. */
  const judge: Judge = async (looks) => {
    asked += 1;
    if ((await looks.look(COUNTER, RIGHT)).state !== 1) throw new Gone('the right is gone');
  };
  const count = (stream: typeof RIGHT, by = 1, counting = unit) =>
    counting.run(async (streams) => {
      (await streams.load(COUNTER, stream)).decide(by);
    });
  const another = () => new UnitOfWork(store, unit.clock);
  const total = async (stream: typeof RIGHT) => (await another().read(COUNTER, stream)).state;

  it('ask the judge, each of them, and store nothing without the right', async () => {
    await expect(unit.under(judge, () => count(OBJECT))).rejects.toMatchObject({ code: 'forbidden' });
    await count(RIGHT);
    await unit.under(judge, async () => {
      await count(OBJECT);
      await count(OTHER);
    });
    expect([asked >= 3, await total(OBJECT), await total(OTHER)]).toEqual([true, 1, 1]);
  });

  it('store nothing where the right goes between the look and the append, and a transaction proves the look', async () => {
    await count(RIGHT);
    let isTaken = false;
    store.before = async ([stream]) => {
      if (stream !== OBJECT || isTaken) return;
      isTaken = true;
      await count(RIGHT, 1, another());
    };
    const outcome = await unit
      .under(judge, () => count(OBJECT))
      .then(
        () => 'stored',
        (error: unknown) => (error as Gone).code,
      );
    expect([isTaken, outcome, await total(OBJECT)]).toEqual(hasTransactions ? [true, 'forbidden', 0] : [true, 'stored', 1]);
  });

  it('do not ask a judge any more once the request itself has changed what that one has looked at, and still ask the others', async () => {
    await count(RIGHT);
    await unit.under(judge, async () => {
      unit.alsoUnder(async (looks) => {
        if ((await looks.look(COUNTER, OTHER)).state > 0) throw new Gone('the other one has moved');
      });
      await count(RIGHT);
      await count(OBJECT);
      await count(OTHER, 1, another());
      await expect(count(OBJECT)).rejects.toMatchObject({ reason: 'the other one has moved' });
    });
    expect([await total(RIGHT), await total(OBJECT)]).toEqual([2, 1]);
  });

  it('of the service itself ask none, within a request too', async () => {
    await unit.under(judge, () => unit.under(undefined, () => count(OBJECT)));
    expect([asked, await total(OBJECT)]).toEqual([0, 1]);
    expect(() => unit.alsoUnder(judge)).toThrow('no request is judged here');
  });
});
