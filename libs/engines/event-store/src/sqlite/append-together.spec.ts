import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { Secret, SystemRandomness } from '#kernel';
import { FixedClock } from '#testkit/kernel/fixed-clock';
import { StaticKeyRing } from '#testkit/kernel/static-key-ring';

import { AuthenticatedEventStore } from '../authentication/authenticated-event-store.js';
import { EventMacs } from '../authentication/event-macs.js';
import { type EventStore, NO_STREAM, type RecordedEvent, type StreamAppend, type StreamName, streamName } from '../event-store.js';
import { SqliteEventStore } from './sqlite-event-store.js';

const randomness = new SystemRandomness();
const HAPPENED = { type: 'Happened', data: { what: 'PIN' } };

let file: SqliteEventStore;
let store: EventStore;
let a: StreamName;
let b: StreamName;

/** Another process: it knows no stream yet. */
const reader = (): EventStore =>
  new AuthenticatedEventStore(file, {
    macs: new EventMacs(new StaticKeyRing([{ id: 'event', key: new Secret(Buffer.alloc(32, 1)) }]), 'test'),
    shortened: () => undefined,
    refused: () => undefined,
  });

beforeEach(() => {
  file = new SqliteEventStore({ path: ':memory:', clock: new FixedClock() });
  store = reader();
  [a, b] = [streamName('device', randomness.uuid()), streamName('session', randomness.uuid())];
});
afterEach(() => file.close());

const to = (stream: StreamName, expected: StreamAppend['expected'], count = 1): StreamAppend => ({
  stream,
  expected,
  events: Array.from({ length: count }, () => HAPPENED),
});
const revisions = async (stream: StreamName): Promise<readonly number[]> => (await reader().read(stream)).map(({ revision }) => revision);

describe('appends to several streams', () => {
  it('are stored in one transaction, and each stream goes on as a chain of MACs', async () => {
    await store.append(b, NO_STREAM, [HAPPENED]);
    expect(await store.appendTogether([to(a, NO_STREAM, 2), to(b, 0)])).toMatchObject([{ revision: 1 }, { revision: 1 }]);
    await store.append(a, 1, [HAPPENED]);
    await reader().append(b, 1, [HAPPENED]);
    expect([await revisions(a), await revisions(b)]).toEqual([
      [0, 1, 2],
      [0, 1, 2],
    ]);
  });

  it('are seen by subscriptions in their order', async () => {
    await store.appendTogether([to(a, NO_STREAM), to(b, NO_STREAM)]);
    const seen: RecordedEvent[] = [];
    for await (const item of store.subscribe({ categories: ['device', 'session'], signal: new AbortController().signal })) {
      if (item === 'caught-up') break;
      seen.push(item);
    }
    expect(seen.map(({ stream }) => stream)).toEqual([a, b]);
  });

  it.each([0, 1])('are refused, all of them, when number %i conflicts', async (conflicting) => {
    await store.append([a, b][conflicting] as StreamName, NO_STREAM, [HAPPENED]);
    await expect(store.appendTogether([to(a, NO_STREAM), to(b, NO_STREAM)])).rejects.toMatchObject({ name: 'WrongExpectedRevision', actual: 0 });
    expect([await revisions(a), await revisions(b)]).toEqual(conflicting === 0 ? [[0], []] : [[], [0]]);
  });

  it('are refused, all of them, when one stream is tombstoned', async () => {
    await store.append(b, NO_STREAM, [HAPPENED]);
    await store.tombstone(b);
    await expect(store.appendTogether([to(a, NO_STREAM), to(b, 0)])).rejects.toMatchObject({ name: 'StreamTombstoned' });
    expect(await revisions(a)).toEqual([]);
  });

  describe('beside a stream that was only read', () => {
    let c: StreamName;
    beforeEach(async () => {
      c = streamName('client', randomness.uuid());
      await store.append(c, NO_STREAM, [HAPPENED]);
    });

    it('are stored while that one is as it was read', async () => {
      expect(await store.appendTogether([to(a, NO_STREAM)], [{ stream: c, expected: 0 }])).toMatchObject([{ revision: 0 }]);
      expect([await revisions(a), await revisions(c)]).toEqual([[0], [0]]);
    });

    it('are refused, all of them, once it has changed', async () => {
      await store.append(c, 0, [HAPPENED]);
      const late = store.appendTogether([to(a, NO_STREAM), to(b, NO_STREAM)], [{ stream: c, expected: 0 }]);
      await expect(late).rejects.toMatchObject({ name: 'WrongExpectedRevision', stream: c, actual: 1 });
      expect([await revisions(a), await revisions(b)]).toEqual([[], []]);
    });

    it('take a tombstoned stream for the empty one that a read shows', async () => {
      await store.tombstone(c);
      await expect(store.appendTogether([to(a, NO_STREAM)], [{ stream: c, expected: 0 }])).rejects.toMatchObject({ stream: c, actual: NO_STREAM });
      await store.appendTogether([to(a, NO_STREAM)], [{ stream: c, expected: NO_STREAM }]);
      expect(await revisions(a)).toEqual([0]);
    });

    it('name it once', async () => {
      await expect(store.appendTogether([to(c, 0)], [{ stream: c, expected: 0 }])).rejects.toThrow(TypeError);
      expect(await revisions(c)).toEqual([0]);
    });
  });

  it('name each stream once', async () => {
    await expect(store.appendTogether([to(a, NO_STREAM), to(a, 0)])).rejects.toThrow(TypeError);
    expect(await revisions(a)).toEqual([]);
  });

  it.each([
    ['after events that this process knows', () => store],
    ['after events that it has to read first', () => reader()],
  ])('store the events as they were at the call, %s', async (_, writer) => {
    await store.append(b, NO_STREAM, [HAPPENED]);
    const data = { what: 'PIN' };
    const change = writer().appendTogether([to(a, NO_STREAM), { stream: b, expected: 0, events: [{ type: 'Happened', data }] }]);
    data.what = 'no PIN';
    await change;
    expect((await reader().read(b)).map((event) => event.data)).toEqual([{ what: 'PIN' }, { what: 'PIN' }]);
  });

  it('win once of many that compete', async () => {
    const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => store.appendTogether([to(a, NO_STREAM), to(b, NO_STREAM)])));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect([await revisions(a), await revisions(b)]).toEqual([[0], [0]]);
  });
});
