import { beforeEach, describe, expect, it, jest } from '@jest/globals';

import { type Decider, DomainError, type DomainEvent, knownEvents, ServiceUnavailable, SystemRandomness } from '#kernel';
import { FixedClock } from '../../kernel/fixed-clock.js';

import { type EventStore, EventStoreUnavailable, NO_STREAM, type StreamName, streamName } from '#engines/event-store';
import { NewerEventStored } from '#engines/event-store';
import type { StoreEngine } from '../store-engines.js';
import { DeclaredStreams, decideOnLast, lastEventOf, type StreamType } from '#engines/event-store';
import { ObservedStore } from './observed-store.js';
import { UnitOfWork } from '#engines/event-store';

type Counted = DomainEvent<'Counted', { by: number }>;
type Count = { by: number };

class TooMuch extends DomainError {
  readonly code = 'too_much';
}

/** Refuses a total of more than 100. Counting 0 decides nothing. */
const counter: Decider<number, Count, Counted> = {
  initial: 0,
  knows: knownEvents<Counted>(1, { Counted: true }),
  decide: ({ by }, total) => {
    if (total + by > 100) throw new TooMuch(`over 100 from ${total}`);
    return by === 0 ? [] : [{ type: 'Counted', data: { by } }];
  },
  evolve: (total, { data }) => total + data.by,
};

const COUNTER: StreamType<number, Count, Counted> = { category: 'counter', decider: counter };
const randomness = new SystemRandomness();

/** Every promise of a {@link UnitOfWork}, over every engine. `wrapped`: the coats of the store in a process, MACs for instance. */
export const unitOfWorkContract = ({ open, hasTransactions }: StoreEngine, wrapped: (store: EventStore) => EventStore): void => {
  let clock: FixedClock;
  let engine: EventStore;
  let store: ObservedStore;
  /** The unit of this process. */
  let unit: UnitOfWork;
  let a: StreamName;
  let b: StreamName;

  beforeEach(async () => {
    clock = new FixedClock();
    engine = await open(clock);
    store = new ObservedStore(wrapped(engine));
    unit = new UnitOfWork(store, clock);
    // in the order of the queues
    [a, b] = [randomness.uuid(), randomness.uuid()].toSorted().map((id) => streamName('counter', id)) as [StreamName, StreamName];
  });
  afterEach(() => store.close());

  /** As another process. */
  const another = () => new UnitOfWork(wrapped(engine), clock);
  const count = (stream: StreamName, by: number, counting = unit) =>
    counting.run(async (streams) => {
      const counted = await streams.load(COUNTER, stream);
      counted.decide({ by });
      return counted;
    });
  const total = async (stream: StreamName) => (await another().read(COUNTER, stream)).state;
  const readOf = (stream: StreamName) => store.reads.filter((read) => read === stream).length;

  describe('the decisions of a work', () => {
    it('are visible within it, and stored once it ends', async () => {
      const result = await unit.run(async (streams) => {
        const counted = await streams.load(COUNTER, a);
        expect(counted.decide({ by: 2 })).toEqual([{ type: 'Counted', data: { by: 2 } }]);
        expect(counted.state).toBe(2);
        expect((await streams.load(COUNTER, a)).state).toBe(2);
        counted.decide({ by: 3 });
        expect(await store.exists(a)).toBe(false);
        return counted;
      });
      expect(result.loaded).toMatchObject({ state: 5, revision: 1 });
      expect(result.loaded.events.map(({ id }) => id)).toEqual((await store.read(a)).map(({ id }) => id));
      expect(store.stored).toEqual([[a]]);
    });

    it('are not stored when it fails', async () => {
      const failed = unit.run(async (streams) => {
        (await streams.load(COUNTER, a)).decide({ by: 2 });
        throw new Error('after the decision');
      });
      await expect(failed).rejects.toThrow('after the decision');
      expect(await total(a)).toBe(0);
    });

    it('are stored in their order: together where the engine has transactions, otherwise one after the other', async () => {
      await unit.run(async (streams) => {
        const [first, second] = [await streams.load(COUNTER, a), await streams.load(COUNTER, b)];
        second.decide({ by: 1 });
        first.decide({ by: 2 });
        second.decide({ by: 3 });
      });
      expect(store.stored).toEqual(hasTransactions ? [[b, a]] : [[b], [a], [b]]);
      expect([await total(a), await total(b)]).toEqual([2, 4]);
    });

    it('leave the first ones when the process ends between two appends, and nothing where they are one transaction', async () => {
      store.before = (streams) => {
        if (streams.includes(b)) throw new Error('the process ends');
      };
      const ended = unit.run(async (streams) => {
        for (const stream of [a, b]) (await streams.load(COUNTER, stream)).decide({ by: 1 });
      });
      await expect(ended).rejects.toThrow('the process ends');
      expect([await total(a), await total(b)]).toEqual(hasTransactions ? [0, 0] : [1, 0]);
      store.before = () => undefined;
      // and nothing that is not stored is remembered
      expect([(await count(a, 1)).state, (await count(b, 1)).state]).toEqual(hasTransactions ? [1, 1] : [2, 1]);
    });

    it('are told to their streams once they are stored, also when a later one is not', async () => {
      const committed = jest.fn();
      const told = { ...COUNTER, committed: (stream: StreamName, change: object) => void committed(stream, change) };
      await unit.run(async (streams) => (await streams.load(told, a)).decide({ by: 1 }));
      expect(committed.mock.calls).toEqual([[a, { before: 0, after: expect.objectContaining({ state: 1, revision: 0 }) }]]);
      committed.mockClear();
      store.before = (streams) => {
        if (streams.includes(b)) throw new Error('no disk');
      };
      const failed = unit.run(async (streams) => {
        for (const stream of [a, b]) (await streams.load(told, stream)).decide({ by: 1 });
      });
      await expect(failed).rejects.toThrow('no disk');
      expect(committed.mock.calls.map(([stream]) => stream)).toEqual(hasTransactions ? [] : [a]);
    });

    it('are told to the observers of the process, each stream with its revision', async () => {
      const seen: [StreamName, number][] = [];
      unit.observe((...stored) => seen.push(stored));
      await count(a, 1);
      await unit.run(async (streams) => {
        for (const stream of [a, b]) (await streams.load(COUNTER, stream)).decide({ by: 1 });
      });
      expect(seen).toEqual([
        [a, 0],
        [a, 1],
        [b, 0],
      ]);
    });

    it('end with the work', async () => {
      let late: (() => unknown) | undefined;
      await unit.run(async (streams) => {
        const counted = await streams.load(COUNTER, a);
        late = () => counted.decide({ by: 1 });
        counted.decide({ by: 1 });
      });
      expect(late).toThrow(/after the end/);
    });
  });

  describe('a stream', () => {
    it('is loaded once within a work, however often it is asked for', async () => {
      await unit.run(async (streams) => {
        const [one, other] = await Promise.all([streams.load(COUNTER, a), streams.load(COUNTER, a)]);
        expect(one).toBe(other);
        expect((await streams.look(COUNTER, a)).state).toBe(0);
        one.decide({ by: 1 });
      });
      expect(readOf(a)).toBe(1);
    });

    it('of another category is a mistake', async () => {
      const mistaken = unit.run((streams) => streams.load(COUNTER, streamName('other', randomness.uuid())));
      await expect(mistaken).rejects.toThrow('a stream of other is none of counter');
    });

    it('with a new id is read only when the commit finds that it has begun', async () => {
      const begin = (by: number) => unit.run(async (streams) => void (await streams.begin(COUNTER, a)).decide({ by }));
      await begin(60);
      expect(readOf(a)).toBe(0);
      unit = another();
      await expect(begin(50)).rejects.toMatchObject({ reason: 'over 100 from 60' });
      await begin(40);
      expect(await total(a)).toBe(100);
    });

    it('that holds an event of a newer release takes no decision', async () => {
      await store.append(a, NO_STREAM, [{ type: 'Doubled', data: {} }]);
      await expect(count(a, 1)).rejects.toThrow(NewerEventStored);
      await expect(unit.run((streams) => streams.look(COUNTER, a))).resolves.toMatchObject({ state: 0, newer: { type: 'Doubled' } });
    });

    it('that another writer has closed is read, and the decider refuses the command', async () => {
      await count(a, 1);
      await engine.tombstone(a);
      const seen: number[] = [];
      const closed = unit.run(async (streams) => {
        const counted = await streams.load(COUNTER, a);
        seen.push(counted.state);
        counted.decide({ by: counted.state === 1 ? 1 : 101 });
      });
      await expect(closed).rejects.toMatchObject({ reason: 'over 100 from 0' });
      expect(seen).toEqual([1, 0]);
    });
  });

  describe('a stream whose last event is its state', () => {
    type Said = DomainEvent<'Said', { word: string }>;
    const sayings = (retention: { readonly maxAge?: number }) =>
      new DeclaredStreams({
        category: 'saying',
        owner: 'this test',
        ids: ['<uuid>'],
        events: knownEvents<Said>(1, { Said: true }),
        retention,
        sealed: false,
        guarded: [],
      });
    const SAYINGS = lastEventOf<Said>(sayings({ maxAge: 3_600 }));
    const said = (word: string): Said => ({ type: 'Said', data: { word } });
    let stream: StreamName;
    beforeEach(() => void (stream = streamName('saying', randomness.uuid())));

    it('is decided on by that event, of which alone it keeps a memory', async () => {
      const say = (word: string, on = unit) => decideOnLast(on, { type: SAYINGS, stream }, (last) => (last?.data.word === word ? [] : [said(word)]));
      expect(await say('one')).toMatchObject({ last: said('one'), isAppended: true });
      expect(await say('two', another())).toMatchObject({ last: said('two'), isAppended: true });
      expect(await say('two')).toMatchObject({ last: said('two'), isAppended: false });
      await say('three');
      expect((await unit.run(async (streams) => (await streams.load(SAYINGS, stream)).loaded.events)).map(({ data }) => data.word)).toEqual([
        'three',
      ]);
    });

    it('goes on after it has lost all its events by age, at the revision that the conflict tells', async () => {
      await decideOnLast(unit, { type: SAYINGS, stream }, () => [said('one'), said('two')]);
      store.read = (async () => []) as unknown as typeof store.read;
      unit = new UnitOfWork(store, clock);
      expect(await decideOnLast(unit, { type: SAYINGS, stream }, () => [said('three')])).toMatchObject({ isAppended: true });
      expect((await engine.read(stream)).map(({ revision }) => revision)).toEqual([0, 1, 2]);
    });

    it('is not begun a second time where no age is declared, also when reads show nothing of it', async () => {
      await decideOnLast(unit, { type: SAYINGS, stream }, () => [said('one')]);
      store.read = (async () => (clock.advance(1_000), [])) as unknown as typeof store.read;
      unit = new UnitOfWork(store, clock);
      const again = decideOnLast(unit, { type: lastEventOf<Said>(sayings({})), stream }, () => [said('two')]);
      await expect(again).rejects.toThrow(ServiceUnavailable);
      expect((await engine.read(stream)).map(({ revision }) => revision)).toEqual([0]);
    });

    it('is claimed by one of forty at once, without a conflict', async () => {
      const claims = Array.from({ length: 40 }, (_, number) =>
        decideOnLast(unit, { type: SAYINGS, stream }, (last) => (last ? [] : [said(`${number}`)])),
      );
      expect(new Set((await Promise.all(claims)).map(({ last }) => last?.data.word)).size).toBe(1);
      expect([(await engine.read(stream)).length, store.conflicts]).toEqual([1, 0]);
    });
  });

  describe('remembered states', () => {
    it('are decided on first, without a read', async () => {
      await count(a, 1);
      store.reads.length = 0;
      await count(a, 2);
      await count(a, 3);
      expect([store.reads, store.conflicts]).toEqual([[], 0]);
      expect(await total(a)).toBe(6);
    });

    it('are those of reads too', async () => {
      await count(a, 1, another());
      await unit.read(COUNTER, a);
      store.reads.length = 0;
      expect((await count(a, 2)).state).toBe(3);
      expect(store.reads).toEqual([]);
    });

    it('decide nothing once another process has written: the work is run again on reads', async () => {
      await count(a, 1);
      await count(a, 60, another());
      const seen: number[] = [];
      await unit.run(async (streams) => {
        const counted = await streams.load(COUNTER, a);
        seen.push(counted.state);
        counted.decide({ by: 10 });
      });
      expect(seen).toEqual([1, 61]);
      expect(await total(a)).toBe(71);
    });

    it('refuse nothing: every refusal is decided on a read', async () => {
      await count(a, 1);
      const seen: number[] = [];
      const over = () =>
        unit.run(async (streams) => {
          const counted = await streams.load(COUNTER, a);
          seen.push(counted.state);
          counted.decide({ by: 100 });
        });
      store.reads.length = 0;
      await expect(over()).rejects.toMatchObject({ reason: 'over 100 from 1' });
      expect(readOf(a)).toBe(1);
      await another().run(async (streams) => void (await streams.load(COUNTER, a)).decide({ by: -1 }));
      await over();
      expect(seen).toEqual([1, 1, 1, 0]);
    });

    it('take nothing for done: no decision counts only on a read', async () => {
      await count(a, 1);
      await count(a, 1, another());
      const seen: number[] = [];
      await unit.run(async (streams) => {
        const counted = await streams.load(COUNTER, a);
        seen.push(counted.state);
        counted.decide({ by: counted.state === 1 ? 0 : 5 });
      });
      expect(seen).toEqual([1, 2]);
      expect(await total(a)).toBe(7);
    });

    it('are left aside by a work that wants to decide on reads', async () => {
      await count(a, 1);
      await count(a, 1, another());
      const seen: number[] = [];
      await unit.run(async (streams) => {
        const counted = await streams.load(COUNTER, a);
        streams.onReads();
        seen.push(counted.state);
        counted.decide({ by: 1 });
      });
      expect(seen).toEqual([2]);
    });

    it('prove nothing by themselves: beside a stream that is decided, they are proved by the commit or read', async () => {
      await count(a, 1);
      await count(a, 60, another());
      const seen: number[] = [];
      await unit.run(async (streams) => {
        const [looked, counted] = [await streams.load(COUNTER, a), await streams.load(COUNTER, b)];
        seen.push(looked.state);
        counted.decide({ by: looked.state });
      });
      expect(seen).toEqual([1, 61]);
      expect(await total(b)).toBe(61);
    });

    it('are forgotten after an append whose outcome is unknown', async () => {
      await count(a, 1);
      store.before = () => {
        throw new EventStoreUnavailable('no answer');
      };
      await expect(count(a, 1)).rejects.toThrow(ServiceUnavailable);
      store.before = () => undefined;
      store.reads.length = 0;
      await count(a, 1);
      expect(readOf(a)).toBe(1);
    });

    it('are not replaced by an older read', async () => {
      await count(a, 1);
      const { read } = store;
      const old = await unit.read(COUNTER, a);
      await count(a, 1);
      store.read = (async () => old.events) as unknown as typeof read;
      await unit.read(COUNTER, a);
      store.read = read;
      await count(a, 1);
      expect([store.conflicts, await total(a)]).toEqual([0, 3]);
    });
  });

  describe('a stream that is only looked at', () => {
    /** Counts on `b` what it sees of `a`. */
    const copy = (seen: number[], meanwhile = async () => {}) =>
      unit.run(async (streams) => {
        const { state } = await streams.look(COUNTER, a);
        seen.push(state);
        if (seen.length === 1) await meanwhile();
        (await streams.load(COUNTER, b)).decide({ by: state + 1 });
      });

    it('refuses the commit when it has changed since, where the engine has transactions', async () => {
      await count(a, 1);
      const seen: number[] = [];
      await copy(seen, async () => void (await count(a, 4, another())));
      expect(seen).toEqual(hasTransactions ? [1, 5] : [1]);
      expect(await total(b)).toBe(hasTransactions ? 6 : 2);
    });

    it('holds up no other work', async () => {
      const seen: number[] = [];
      await copy(seen, async () => void (await count(a, 1)));
      expect(await total(a)).toBe(1);
    });

    it('is read, also where this process remembers another state', async () => {
      await count(a, 1);
      await count(a, 1, another());
      expect(await unit.run(async (streams) => (await streams.look(COUNTER, a)).state)).toBe(2);
    });

    it('may be decided on after all', async () => {
      await unit.run(async (streams) => {
        await streams.look(COUNTER, a);
        (await streams.load(COUNTER, a)).decide({ by: 1 });
      });
      expect(await total(a)).toBe(1);
    });

    it('counts as empty once it is closed', async () => {
      await count(a, 1);
      await engine.tombstone(a);
      const seen: number[] = [];
      await copy(seen);
      expect(seen).toEqual([0]);
    });
  });

  describe('a stream that is recalled', () => {
    /** Counts on `b` what it remembers of `a`. */
    const recall = (seen: number[], meanwhile = async () => {}) =>
      unit.run(async (streams) => {
        const { state } = await streams.recall(COUNTER, a);
        seen.push(state);
        if (seen.length === 1) await meanwhile();
        (await streams.load(COUNTER, b)).decide({ by: state + 1 });
      });

    it('costs no read, and is as this process has last read it', async () => {
      await count(a, 4, another());
      await unit.read(COUNTER, a);
      store.reads.length = 0;
      const seen: number[] = [];
      await recall(seen);
      expect([seen, readOf(a), await total(b)]).toEqual([[4], 0, 5]);
    });

    it('is read where this process does not know it', async () => {
      await count(a, 4, another());
      const seen: number[] = [];
      await recall(seen);
      expect([seen, readOf(a)]).toEqual([[4], 1]);
    });

    it('refuses the commit when it has changed since, where the engine has transactions, and is read then', async () => {
      await count(a, 1);
      await count(a, 4, another());
      const seen: number[] = [];
      await recall(seen);
      expect(seen).toEqual(hasTransactions ? [1, 5] : [1]);
      expect(await total(b)).toBe(hasTransactions ? 6 : 2);
    });

    it('refuses the commit when it changes between the look and the append, where the engine has transactions', async () => {
      await count(a, 1);
      const seen: number[] = [];
      await recall(seen, async () => void (await count(a, 4, another())));
      expect(seen).toEqual(hasTransactions ? [1, 5] : [1]);
    });

    it('refuses nothing by itself: every refusal is decided on a read', async () => {
      await count(a, 100);
      await count(a, -100, another());
      const seen: number[] = [];
      await recall(seen);
      expect([seen, await total(b)]).toEqual([[100, 0], 1]);
    });

    it('is proved all the same when the work looks at it, too', async () => {
      await count(a, 1);
      await count(a, 4, another());
      const seen: number[] = [];
      await unit.run(async (streams) => {
        await streams.recall(COUNTER, a);
        seen.push((await streams.look(COUNTER, a)).state);
        (await streams.load(COUNTER, b)).decide({ by: 1 });
      });
      expect(seen).toEqual([1, 5]);
    });
  });

  describe('works at the same time', () => {
    it('on one stream: forty do not conflict once within a process', async () => {
      await Promise.all(Array.from({ length: 40 }, () => count(a, 1)));
      expect([await total(a), store.conflicts]).toEqual([40, 0]);
    });

    it('over two streams in both orders: none of forty waits for ever', async () => {
      const both = (streams: readonly StreamName[]) =>
        unit.run(async (open) => {
          for (const stream of streams) {
            (await open.load(COUNTER, stream)).decide({ by: 1 });
            await new Promise(setImmediate);
          }
        });
      await Promise.all(Array.from({ length: 40 }, (_, number) => both(number % 2 ? [a, b] : [b, a])));
      expect([await total(a), await total(b), store.conflicts]).toEqual([40, 40, 0]);
    });

    it('that ask for their streams at once: none of forty waits for ever', async () => {
      const both = (streams: readonly StreamName[]) =>
        unit.run(async (open) => {
          for (const counted of await Promise.all(streams.map((stream) => open.load(COUNTER, stream)))) counted.decide({ by: 1 });
        });
      await Promise.all(Array.from({ length: 40 }, (_, number) => both(number % 2 ? [a, b] : [b, a])));
      expect([await total(a), await total(b)]).toEqual([40, 40]);
    });

    it('that fail leave the queues to the next ones', async () => {
      const failing = unit.run(async (streams) => {
        await Promise.all([streams.load(COUNTER, a), streams.load(COUNTER, b), Promise.reject(new Error('the work fails'))]);
      });
      await expect(failing).rejects.toThrow('the work fails');
      await Promise.all([count(a, 1), count(b, 1)]);
      expect([await total(a), await total(b)]).toEqual([1, 1]);
    });

    it('keep their places in the queue when they begin again on reads', async () => {
      await count(a, 1);
      const order: number[] = [];
      const careful = (number: number) =>
        unit.run(async (streams) => {
          const counted = await streams.load(COUNTER, a);
          if (number % 2 === 0) streams.onReads();
          order.push(number);
          counted.decide({ by: 1 });
        });
      await Promise.all(Array.from({ length: 10 }, (_, number) => careful(number)));
      expect(order).toEqual(Array.from({ length: 10 }, (_, number) => number));
    });

    it('of several processes: none is lost', async () => {
      const processes = [unit, another(), another()];
      await Promise.all(Array.from({ length: 45 }, (_, number) => count(a, 1, processes[number % 3])));
      expect(await total(a)).toBe(45);
    });

    it('within one another on one stream are a mistake that is told, and the queue goes on', async () => {
      const within = unit.run(async (streams) => {
        (await streams.load(COUNTER, a)).decide({ by: 1 });
        await count(a, 1);
      });
      await expect(within).rejects.toThrow(`a work on ${a} was started by another work on it, which it would wait for`);
      await count(a, 5);
      expect(await total(a)).toBe(5);
    });

    it('within one another on two streams are two works', async () => {
      await unit.run(async (streams) => {
        const counted = await streams.load(COUNTER, a);
        await count(b, 1);
        counted.decide({ by: 1 });
      });
      expect([await total(a), await total(b)]).toEqual([1, 1]);
    });

    it('end after five seconds of lost races', async () => {
      let tries = 0;
      const outrun = unit.run(async (streams) => {
        const counted = await streams.load(COUNTER, a);
        tries += 1;
        clock.advance(1_000);
        await count(a, 1, another());
        counted.decide({ by: 1 });
      });
      await expect(outrun).rejects.toMatchObject({ code: 'service_unavailable', reason: `${a} stayed contended` });
      // The first of them after one second.
      expect(tries).toBe(6);
    });

    it('go on after a long wait for their turn', async () => {
      const { promise: released, resolve: release } = Promise.withResolvers<void>();
      const holding = unit.run(async (streams) => {
        (await streams.load(COUNTER, a)).decide({ by: 1 });
        await released;
      });
      let tries = 0;
      const waiting = unit.run(async (streams) => {
        const counted = await streams.load(COUNTER, a);
        tries += 1;
        if (tries < 3) await count(a, 1, another());
        counted.decide({ by: 1 });
      });
      clock.advance(10_000);
      release();
      await Promise.all([holding, waiting]);
      expect(tries).toBe(3);
      expect(await total(a)).toBe(4);
    });
  });

  describe('the end that time has decided', () => {
    /** Ten seconds after the begin of the test, a counter is set to 100. */
    const due = (): StreamType<number, Count, Counted> => {
      const at = clock.now() + 10_000;
      return { ...COUNTER, due: (was, now) => (now >= at && was < 100 ? { by: 100 - was } : undefined) };
    };

    it('is stored before anything else is decided', async () => {
      const timed = due();
      const load = (by: number) => unit.run(async (streams) => void (await streams.load(timed, a)).decide({ by }));
      await load(1);
      clock.advance(10_000);
      await expect(load(1)).rejects.toMatchObject({ reason: 'over 100 from 100' });
      expect((await store.read(a)).map(({ data }) => data)).toEqual([{ by: 1 }, { by: 99 }]);
    });

    it('needs no read of a stream that this process has written', async () => {
      const timed = due();
      await count(a, 1);
      clock.advance(10_000);
      store.reads.length = 0;
      await unit.run(async (streams) => {
        const { state } = await streams.load(timed, a);
        streams.onReads();
        expect(state).toBe(100);
      });
      expect([store.reads, await total(a)]).toEqual([[], 100]);
    });

    it('is decided again when another process was first', async () => {
      const timed = due();
      await count(a, 1);
      await count(a, 60, another());
      clock.advance(10_000);
      expect((await unit.run((streams) => streams.load(timed, a))).state).toBe(100);
      expect((await store.read(a)).map(({ data }) => data)).toEqual([{ by: 1 }, { by: 60 }, { by: 39 }]);
    });

    it('is stored first also when the time comes within the work', async () => {
      const timed = due();
      const seen: number[] = [];
      const late = unit.run(async (streams) => {
        const counted = await streams.load(timed, a);
        seen.push(counted.state);
        clock.advance(10_000);
        counted.decide({ by: 1 });
      });
      await expect(late).rejects.toMatchObject({ reason: 'over 100 from 100' });
      expect(seen).toEqual([0, 100]);
    });
  });
};
