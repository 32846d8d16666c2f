import { beforeEach, describe, expect, it, jest } from '@jest/globals';

import { EventStoreUnavailable, NO_STREAM } from '#engines/event-store';
import { currentTraceparent } from '#kernel';
import { FixedClock } from '#testkit/kernel/fixed-clock';
import { SqliteEventStore } from '#engines/event-store';
import { Metrics, SilentLog } from '#telemetry';

import type { CloudEvent } from './cloud-event.js';
import type { Arrival } from './arrival.js';
import { Handover } from './handover.js';
import type { MessageHandler } from './message-bus.js';
import { appendThing, ThingPublication } from '#testkit/message-bus/thing-publication';

const TOPIC = 'things';
const READ_WAITS = [1, 2];

let store: SqliteEventStore;
let publication: ThingPublication;
let metrics: Metrics;
let parked: string[];
let seen: number[];
const leave = new AbortController();

beforeEach(() => {
  store = new SqliteEventStore({ path: ':memory:', clock: new FixedClock() });
  publication = new ThingPublication(store, TOPIC);
  metrics = new Metrics();
  parked = [];
  seen = [];
});
afterEach(() => store.close());

const arrival = (): Arrival => ({ signal: leave.signal, heartbeat: async () => undefined, park: async (reason) => void parked.push(reason) });

const note: MessageHandler = async ({ esrevision }) => void seen.push(esrevision);

const delivery = (handler: MessageHandler = note) =>
  new Handover({
    publication,
    group: 'group',
    types: ['thing.made', 'thing.moved'],
    handler,
    log: new SilentLog(),
    metrics,
    retryWaits: [1],
    readWaits: READ_WAITS,
    unavailableWait: 1,
  });

const messages = async (...types: readonly string[]): Promise<CloudEvent[]> =>
  Promise.all((await appendThing(store, TOPIC, 'a', ...types)).map((event) => publication.message(event)));

const outcomes = async () => Object.fromEntries((await metrics.busMessages.get()).values.map(({ labels, value }) => [labels.outcome, value]));

describe('a message that arrives', () => {
  it('is handled in the trace of the request that caused it', async () => {
    const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
    const [made, moved] = (await messages('Made', 'Moved')) as [CloudEvent, CloudEvent];
    const traces: (string | undefined)[] = [];
    const one = delivery(async () => void traces.push(currentTraceparent()));
    await one.deliver({ ...made, traceparent }, arrival());
    await one.deliver(moved, arrival());
    expect(traces).toEqual([traceparent, undefined]);
  });

  it('again is dropped', async () => {
    const [made, moved] = (await messages('Made', 'Moved')) as [CloudEvent, CloudEvent];
    const one = delivery();
    for (const message of [made, made, moved, made, moved]) await one.deliver(message, arrival());
    expect(seen).toEqual([0, 1]);
    expect(await outcomes()).toEqual({ handled: 2, duplicate: 3 });
  });

  describe('over a store that was restored from an older copy, where its subject went on otherwise', () => {
    /** What the store held before, and what it holds now: the same first event, and others at the next revisions. */
    const histories = async (lost: readonly string[], now: readonly string[]) => {
      const [made, ...before] = (await messages('Made', ...lost)) as [CloudEvent, ...CloudEvent[]];
      const ids = [made.id as never];
      await store.close();
      store = new SqliteEventStore({ path: ':memory:', clock: new FixedClock() });
      publication = new ThingPublication(store, TOPIC);
      const stream = publication.streamOf('a');
      await store.append(stream, NO_STREAM, [{ type: 'Made', data: {} }], { ids });
      const after = await Promise.all((await appendThing(store, TOPIC, 'a', ...now)).slice(-now.length).map((event) => publication.message(event)));
      return { made, before, after };
    };
    const handled: string[] = [];
    const noteId: MessageHandler = async ({ id }) => void handled.push(id);
    beforeEach(() => void (handled.length = 0));
    const ids = (sent: readonly CloudEvent[]): string[] => sent.map(({ id }) => id);

    it.each([
      ['as far', ['Moved', 'Moved'], ['Moved', 'Moved']],
      ['less far', ['Moved', 'Moved', 'Moved'], ['Moved']],
      ['further', ['Moved'], ['Moved', 'Moved', 'Moved']],
    ])('is delivered at each revision that the lost part had used, when the subject has come %s', async (_far, lost, now) => {
      const { made, before, after } = await histories(lost, now);
      const one = delivery(noteId);
      for (const message of [made, ...before, ...after, ...after]) await one.deliver(message, arrival());
      expect(handled).toEqual(ids([made, ...before, ...after]));
    });

    it('is dropped when it repeats an event that the store lacks by now, or one of a stream that was erased', async () => {
      const { made, before, after } = await histories(['Moved', 'Moved'], ['Moved']);
      const one = delivery(noteId);
      for (const message of [made, ...after, ...before.slice(0, 1)]) await one.deliver(message, arrival());
      await store.tombstone(publication.streamOf('a'));
      for (const message of [made, ...after]) await one.deliver(message, arrival());
      expect(handled).toEqual(ids([made, ...after]));
    });
  });

  it('after a gap is delivered after the missing messages, which are read from the stream', async () => {
    const [made, , , moved] = (await messages('Made', 'Moved', 'Moved', 'Moved')) as CloudEvent[];
    const one = delivery();
    await one.deliver(made!, arrival());
    await one.deliver(moved!, arrival());
    expect(seen).toEqual([0, 1, 2, 3]);
    expect(await outcomes()).toEqual({ handled: 4, gap: 2 });
  });

  it('after a gap is delivered after the missing messages, also when they can be read only later', async () => {
    const [made, , moved] = (await messages('Made', 'Moved', 'Moved')) as CloudEvent[];
    const one = delivery();
    await one.deliver(made!, arrival());
    const read = jest.spyOn(publication, 'messagesOf').mockResolvedValueOnce([]);
    await one.deliver(moved!, arrival());
    expect(read).toHaveBeenCalledTimes(2);
    expect(seen).toEqual([0, 1, 2]);
  });

  it('after a gap whose events have expired is delivered as soon as a read shows the message itself', async () => {
    const [made, , moved] = (await messages('Made', 'Moved', 'Moved')) as CloudEvent[];
    const one = delivery();
    await one.deliver(made!, arrival());
    const read = jest.spyOn(publication, 'messagesOf').mockResolvedValue([moved!]);
    await one.deliver(moved!, arrival());
    expect(read).toHaveBeenCalledTimes(1);
    expect(seen).toEqual([0, 2]);
  });

  it('after a gap in an erased stream is delivered without the erased messages, once reads have had the time to catch up', async () => {
    const [made, , moved] = (await messages('Made', 'Moved', 'Moved')) as CloudEvent[];
    const one = delivery();
    await one.deliver(made!, arrival());
    await store.tombstone((await appendThing(store, TOPIC, 'b', 'Made'))[0]!.stream.replace('-b', '-a') as never);
    const read = jest.spyOn(publication, 'messagesOf');
    await one.deliver(moved!, arrival());
    expect(read).toHaveBeenCalledTimes(READ_WAITS.length + 1);
    expect(seen).toEqual([0, 2]);
  });

  it('first of its subject is delivered at any revision: the group has processed the earlier ones', async () => {
    const [, moved] = (await messages('Made', 'Moved')) as CloudEvent[];
    await delivery().deliver(moved!, arrival());
    expect(seen).toEqual([1]);
  });

  it('after a dead letter of its subject is delivered alone: the dead letter does not count as a gap', async () => {
    const [made, moved] = (await messages('Made', 'Moved')) as CloudEvent[];
    const one = delivery(async (message, context) => {
      if (message.esrevision === 0) throw new TypeError('poison');
      await note(message, context);
    });
    await one.deliver(made!, arrival());
    await one.deliver(moved!, arrival());
    expect({ seen, parked }).toEqual({ seen: [1], parked: ['TypeError'] });
    expect(await outcomes()).toEqual({ retried: 1, dead_letter: 1, handled: 1 });
  });

  it('after a gap waits, and is counted, while the store is unavailable', async () => {
    const [made, , moved] = (await messages('Made', 'Moved', 'Moved')) as CloudEvent[];
    const one = delivery();
    await one.deliver(made!, arrival());
    const read = jest.spyOn(publication, 'messagesOf').mockRejectedValueOnce(new EventStoreUnavailable('no answer'));
    await one.deliver(moved!, arrival());
    expect(read).toHaveBeenCalledTimes(2);
    expect(seen).toEqual([0, 1, 2]);
    expect(await outcomes()).toEqual({ waited: 1, gap: 1, handled: 3 });
  });

  it('waits, and is counted, while an engine is unavailable that its handler needs', async () => {
    const [made] = (await messages('Made')) as [CloudEvent];
    let tries = 0;
    const one = delivery(async (message, context) => {
      tries += 1;
      if (tries < 3) throw new EventStoreUnavailable('no answer');
      await note(message, context);
    });
    await one.deliver(made, arrival());
    expect(seen).toEqual([0]);
    expect(await outcomes()).toEqual({ waited: 2, handled: 1 });
  });

  it('is stored as a dead letter at the second try when the first one fails', async () => {
    const [made] = (await messages('Made')) as [CloudEvent];
    let tries = 0;
    await delivery().deliver(
      { ...made, type: 'thing.melted' },
      {
        ...arrival(),
        park: async (reason) => {
          tries += 1;
          if (tries === 1) throw new Error('no answer');
          parked.push(reason);
        },
      },
    );
    expect(parked).toEqual(['unknown type']);
  });

  it('is not processed when the consumer loses it', async () => {
    const [made] = (await messages('Made')) as [CloudEvent];
    const gone = new AbortController();
    const lost = delivery(async () => {
      gone.abort(new Error('rebalance'));
      throw new Error('interrupted');
    }).deliver(made, { ...arrival(), signal: gone.signal });
    await expect(lost).rejects.toThrow('rebalance');
    expect(parked).toEqual([]);
  });
});

describe('a handler without heartbeats', () => {
  beforeEach(() => void jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] }));
  afterEach(() => void jest.useRealTimers());

  it('fails after twenty seconds, and its signal is aborted', async () => {
    const [made] = (await messages('Made')) as [CloudEvent];
    const stopped: boolean[] = [];
    const one = new Handover({
      publication,
      group: 'group',
      types: ['thing.made'],
      log: new SilentLog(),
      metrics,
      retryWaits: [],
      handler: (_message, { signal }) => new Promise(() => signal.addEventListener('abort', () => stopped.push(true))),
    });
    const delivered = one.deliver(made, arrival());
    await jest.advanceTimersByTimeAsync(19_999);
    expect(parked).toEqual([]);
    await jest.advanceTimersByTimeAsync(1);
    await delivered;
    expect({ parked, stopped }).toEqual({ parked: ['HandlerSilent'], stopped: [true] });
  });

  it('goes on as long as it calls heartbeat', async () => {
    const [made] = (await messages('Made')) as [CloudEvent];
    const delivered = delivery(async (message, context) => {
      for (let time = 0; time < 5; time += 1) {
        await new Promise((resolve) => setTimeout(resolve, 10_000));
        await context.heartbeat();
      }
      await note(message, context);
    }).deliver(made, arrival());
    await jest.advanceTimersByTimeAsync(50_000);
    await delivered;
    expect(seen).toEqual([0]);
  });
});
