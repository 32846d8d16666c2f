import { jest } from '@jest/globals';

import { type Decider, DomainError, type DomainEvent, inTrace, knownEvents, ServiceUnavailable, SystemRandomness } from '#kernel';
import { FixedClock } from '#testkit/kernel/fixed-clock';

import { CommandHandler } from './command-handler.js';
import { NO_STREAM, type StreamName, streamName } from './event-store.js';
import { NewerEventStored } from './newer-event.js';
import { SqliteEventStore } from './sqlite/sqlite-event-store.js';
import type { StreamType } from './unit-of-work/stream-type.js';
import { UnitOfWork } from './unit-of-work/unit-of-work.js';

type Counted = DomainEvent<'Counted', { by: number }>;
type Count = { by: number };

class TooMuch extends DomainError {
  readonly code = 'too_much';
}

const counter: Decider<number, Count, Counted> = {
  initial: 0,
  decide: ({ by }, total) => {
    if (total + by > 100) throw new TooMuch('over 100');
    return by === 0 ? [] : [{ type: 'Counted', data: { by } }];
  },
  evolve: (total, { data }) => total + data.by,
};

describe('CommandHandler', () => {
  const randomness = new SystemRandomness();
  let clock: FixedClock;
  let store: SqliteEventStore;
  let stream: StreamName;

  beforeEach(() => {
    clock = new FixedClock();
    store = new SqliteEventStore({ path: ':memory:', clock });
    stream = streamName('counter', randomness.uuid());
  });
  afterEach(() => store.close());

  const over = (type: Partial<StreamType<number, Count, Counted>> = {}) =>
    new CommandHandler(new UnitOfWork(store, clock), { category: 'counter', decider: counter, ...type });
  /** As another process has it. */
  const handler = () => over();
  const count = (by: number) => () => ({ by });

  it('appends the decided events and answers the state after them', async () => {
    const counters = handler();
    expect(await counters.handle(stream, count(2))).toMatchObject({ state: 2, revision: 0 });
    const { state, events, revision } = await counters.handle(stream, count(3));
    expect({ state, revision }).toEqual({ state: 5, revision: 1 });
    expect(await counters.load(stream)).toMatchObject({ state: 5, revision: 1, events: events.map(({ id }) => ({ id })) });
  });

  it('stores the trace context of the work, with the envelope', async () => {
    const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
    const enveloped = over({ metadataOf: (total) => ({ v: 3, total }) });
    await inTrace(traceparent, () => enveloped.handle(stream, count(2)));
    await inTrace(traceparent, () => handler().handle(stream, count(2)));
    await handler().handle(stream, count(2));
    const stored = (await store.read(stream)).map(({ metadata }) => metadata);
    expect(stored).toEqual([{ v: 3, total: 2, traceparent }, { v: 1, traceparent }, { v: 1 }]);
  });

  it('keeps the traces of commands apart that wait for one another', async () => {
    const traces = ['a', 'b', 'c'].map((digit) => `00-${digit.repeat(32)}-00f067aa0ba902b7-01`);
    const counters = handler();
    await Promise.all(traces.map((traceparent) => inTrace(traceparent, () => counters.handle(stream, count(2)))));
    expect((await store.read(stream)).map(({ metadata }) => metadata?.traceparent)).toEqual(traces);
  });

  it('folds a stream anew only when it has changed', async () => {
    const evolve = jest.spyOn(counter, 'evolve');
    const counters = handler();
    await counters.handle(stream, count(2));
    await counters.load(stream);
    evolve.mockClear();
    expect(await counters.load(stream)).toMatchObject({ state: 2 });
    expect(evolve).not.toHaveBeenCalled();
    await handler().handle(stream, count(3));
    expect(await counters.load(stream)).toMatchObject({ state: 5, revision: 1 });
    evolve.mockRestore();
  });

  it('appends nothing when there is nothing to do', async () => {
    expect(await handler().handle(stream, count(0))).toEqual({ state: 0, events: [], revision: NO_STREAM });
    expect(await store.read(stream)).toEqual([]);
  });

  it('passes on a refusal and appends nothing', async () => {
    await expect(handler().handle(stream, count(101))).rejects.toMatchObject({ code: 'too_much', reason: 'over 100' });
    expect(await store.read(stream)).toEqual([]);
  });

  it('decides again on the state that another writer made', async () => {
    const seen: number[] = [];
    const { state } = await handler().handle(stream, async (total) => {
      if (seen.push(total) === 1) await handler().handle(stream, count(40));
      return { by: 50 };
    });
    expect(seen).toEqual([0, 40]);
    expect(state).toBe(90);
  });

  it('refuses a command that the state no longer allows after a lost race', async () => {
    let raced = false;
    const late = handler().handle(stream, async () => {
      if (!raced) await handler().handle(stream, count(60));
      raced = true;
      return { by: 50 };
    });
    await expect(late).rejects.toBeInstanceOf(TooMuch);
    expect(await handler().load(stream)).toMatchObject({ state: 60 });
  });

  it('completes each of many concurrent commands, in one process and in several', async () => {
    const handlers = [handler(), handler(), handler()];
    await Promise.all(Array.from({ length: 90 }, (_, number) => handlers[number % 3]!.handle(stream, count(1))));
    const { state, events } = await handler().load(stream);
    expect(state).toBe(90);
    expect(new Set(events.map(({ id }) => id)).size).toBe(90);
  });

  it('gives up when it has lost races for five seconds', async () => {
    let tries = 0;
    const contended = handler().handle(stream, async () => {
      tries += 1;
      clock.advance(1_000);
      await handler().handle(stream, count(1));
      return { by: 1 };
    });
    await expect(contended).rejects.toBeInstanceOf(ServiceUnavailable);
    await expect(contended).rejects.toMatchObject({ code: 'service_unavailable', reason: `${stream} stayed contended` });
    // The first of them after one second.
    expect(tries).toBe(6);
  });

  it('never begins a stream a second time, also when reads show nothing of it', async () => {
    await handler().handle(stream, count(90));
    jest.spyOn(store, 'read').mockImplementation(async () => (clock.advance(1_000), []));
    await expect(handler().handle(stream, count(20))).rejects.toMatchObject({ code: 'service_unavailable', reason: `${stream} stayed contended` });
    jest.restoreAllMocks();
    expect(await handler().load(stream)).toMatchObject({ state: 90, revision: 0 });
  });

  it('stores with each event the state right after it', async () => {
    const twice: typeof counter = { ...counter, decide: ({ by }) => [1, 2].map((times) => ({ type: 'Counted', data: { by: by * times } })) };
    const counters = over({ decider: twice, metadataOf: (total) => ({ v: 3, total }) });
    await counters.handle(stream, count(5));
    await counters.handle(stream, count(1));
    expect((await store.read(stream)).map(({ metadata }) => metadata)).toEqual([5, 15, 16, 18].map((total) => ({ v: 3, total })));
  });

  describe('given an event that only a newer release knows', () => {
    const known: typeof counter = { ...counter, knows: knownEvents<Counted>(2, { Counted: true }) };
    const counters = () => over({ decider: known });

    it.each([
      ['type', { type: 'Doubled', data: {} }],
      ['version', { type: 'Counted', data: { by: 50 }, metadata: { v: 3 } }],
    ])('of unknown %s: readers leave it out and report it', async (_what, newer) => {
      const met = jest.fn();
      store.onNewerEvent = met;
      await counters().handle(stream, count(1));
      await store.append(stream, 0, [newer, { type: 'Counted', data: { by: 2 }, metadata: { v: 2 } }]);
      expect(await counters().load(stream)).toMatchObject({ state: 3, revision: 2, newer: { revision: 1 }, last: { revision: 2 } });
      expect(met).toHaveBeenCalledTimes(1);
    });

    it('decides nothing, since the event may forbid it', async () => {
      await counters().handle(stream, count(1));
      await store.append(stream, 0, [{ type: 'Closed', data: {} }]);
      await expect(counters().handle(stream, count(1))).rejects.toThrow(NewerEventStored);
      expect(await store.read(stream)).toHaveLength(2);
    });

    it('decides nothing when the event comes between the read and the append', async () => {
      await counters().handle(stream, count(1));
      const decided = counters().handle(stream, async () => {
        await store.append(stream, 0, [{ type: 'Closed', data: {} }]).catch(() => undefined);
        return { by: 1 };
      });
      await expect(decided).rejects.toThrow(NewerEventStored);
    });

    it('stores its own events under the version of the decider', async () => {
      await counters().handle(stream, count(1));
      expect((await store.read(stream))[0]?.metadata).toEqual({ v: 2 });
    });
  });
});
