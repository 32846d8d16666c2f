import { jest } from '@jest/globals';

import { type EventStore } from '#engines/event-store';
import { LaggingEventStore } from '#testkit/event-store/lagging-event-store';
import { ServiceUnavailable } from '#kernel';

import { retriedAt } from '../domain/delivery.js';
import { DeliveryLog } from './delivery-log.js';
import { endpointId, DAY, store, clock, projections, useDeliveryLogs, open, known, added, attempted, nothing } from '#testkit/webhook/delivery-logs';

useDeliveryLogs();

describe('the log of an endpoint', () => {
  it('holds the same after a restart', async () => {
    const log = await open();
    await Promise.all([log.record(added('a')), log.record(added('b', 2))]);
    await log.record(attempted('a', 1));
    await log.record(attempted('b', 1, 'succeeded'));
    const again = await open();
    expect([...again.pending()]).toEqual([expect.objectContaining({ deliveryId: 'a', attempts: 1 })]);
    expect((await again.find(['b'])).get('b')).toMatchObject({ state: 'succeeded', attempts: 1 });
  });

  it('is read in pages where the tables do not hold it yet', async () => {
    const log = await open();
    const many = Array.from({ length: 1_250 }, (_, number) => `d${number}`);
    await Promise.all(many.map((id) => log.record(added(id))));
    await Promise.all(many.map((id) => log.record(attempted(id, 1, 'succeeded'))));
    const longest: number[] = [];
    const noTables = { pending: async () => nothing, find: async () => nothing };
    const read = store.read.bind(store);
    jest.spyOn(store, 'read').mockImplementation(async (...call) => {
      const events = await read(...call);
      longest.push(events.length);
      return events;
    });
    const again = new DeliveryLog(endpointId, { store, clock, rows: noTables });
    await again.refresh();
    expect(many.filter((id) => again.get(id)?.state !== 'succeeded')).toEqual([]);
    expect(longest).toEqual([2_000, 500]);
  });

  it('is refreshed up to the moment of the call, also while another refresh is under way', async () => {
    const [one, other] = [await open(), await open()];
    await one.record(added('a'));
    const first = other.refresh();
    await one.record(added('b', 2));
    await Promise.all([other.refresh(), other.refresh()]);
    expect(other.get('b')).toBeDefined();
    await first;
    expect(other.get('a')).toBeDefined();
  });

  it('appends simultaneous events together, and refuses those that do not apply', async () => {
    const log = await open();
    const outcomes = await Promise.all([
      log.record(added('a')),
      log.record(added('a')),
      log.record(attempted('a', 1)),
      log.record(attempted('a', 1)),
      log.record(attempted('a', 3)),
    ]);
    expect(outcomes.map((delivery) => delivery?.attempts)).toEqual([0, undefined, 1, undefined, undefined]);
  });

  it('records one end of a delivery, however many processes try', async () => {
    const [one, other] = [await open(), await open()];
    await one.record(added('a'));
    await other.refresh();
    const outcomes = await Promise.all([
      one.record(attempted('a', 1, 'succeeded')),
      other.record(attempted('a', 1, 'succeeded')),
      other.record({ type: 'DeliveryEnded', data: { at: 0, deliveryId: 'a', end: 'lapsed' } }),
    ]);
    expect(outcomes.filter((delivery) => delivery)).toHaveLength(1);
    await one.refresh();
    expect(other.get('a')).toEqual(one.get('a'));
  });

  it('records again after all its events have expired', async () => {
    const log = await open();
    await log.record(added('a'));
    clock.advance(31 * DAY);
    const later = await open();
    expect(await later.record(added('b'))).toMatchObject({ state: 'pending' });
    expect(await known('b')).toBeDefined();
    expect(await later.record(attempted('b', 1, 'succeeded'))).toMatchObject({ state: 'succeeded' });
  });

  it('gives up when other processes were first for five seconds, and records the next event', async () => {
    const [log, rival] = [await open(), await open()];
    const append = store.append.bind(store);
    let rivals = 0;
    const appendAfterRival: EventStore['append'] = async (...call) => {
      spy.mockImplementation(append);
      clock.advance(1_000);
      await rival.record(added(`rival ${(rivals += 1)}`));
      spy.mockImplementation(appendAfterRival);
      return append(...call);
    };
    const spy = jest.spyOn(store, 'append').mockImplementation(appendAfterRival);
    await expect(log.record(added('a'))).rejects.toBeInstanceOf(ServiceUnavailable);
    expect(rivals).toBe(5);
    spy.mockRestore();
    expect(await log.record(added('b'))).toMatchObject({ state: 'pending' });
    expect(await known('a')).toBeUndefined();
  });

  describe('given newer events of another process that cannot be read yet', () => {
    it.each([
      ['an empty log', []],
      ['a log with events', ['old']],
    ])('reads them right after its own append to %s', async (_given, before) => {
      const other = await open();
      for (const id of before) await other.record(added(id));
      const behind = await open(new LaggingEventStore(store, 1));
      await other.record(added('a'));
      expect(await behind.record(added('b', 2))).toMatchObject({ state: 'pending' });
      expect([...behind.pending()].map(({ deliveryId }) => deliveryId)).toEqual([...before, 'a', 'b']);
    });

    it('records one end of a delivery, and answers undefined to the second writer', async () => {
      const other = await open();
      await other.record(added('a'));
      const behind = await open(new LaggingEventStore(store, 1));
      await other.record(attempted('a', 1, 'succeeded'));
      const outcomes = await Promise.all([
        behind.record(added('b', 2)),
        behind.record({ type: 'DeliveryEnded', data: { at: 0, deliveryId: 'a', end: 'lapsed' } }),
      ]);
      expect(outcomes).toEqual([expect.objectContaining({ deliveryId: 'b', state: 'pending' }), undefined]);
      expect(behind.get('a')).toMatchObject({ state: 'succeeded', attempts: 1 });
      expect([await known('a'), await known('b')]).toEqual([behind.get('a'), behind.get('b')]);
    });
  });

  it('tells since when an endpoint fails', async () => {
    const log = await open();
    await log.record(added('a'));
    const began = clock.now();
    await log.record(attempted('a', 1));
    clock.advance(5_000);
    await log.record(attempted('a', 2));
    expect(log.failingSince).toBe(began);
    await log.record(attempted('a', 3, 'succeeded'));
    expect(log.failingSince).toBeUndefined();
  });

  it('begins the schedule of an ended delivery anew when staff retry it', async () => {
    const log = await open();
    const pending = await log.record(added('a'));
    expect(await log.record(retriedAt(0, pending!))).toBeUndefined();
    const ended = await log.record(attempted('a', 1, 'succeeded'));
    expect(await log.record(retriedAt(7, ended!))).toMatchObject({ state: 'pending', attempts: 1, tries: 0, nextAt: 7 });
  });

  it('keeps a retried delivery after its addition has expired, with its attempts', async () => {
    const log = await open();
    const message = (await log.record(added('a')))?.message;
    const ended = await log.record(attempted('a', 1, 'succeeded'));
    clock.advance(29 * DAY);
    await log.record(retriedAt(clock.now(), ended!));
    await log.record(attempted('a', 2));
    clock.advance(2 * DAY);
    await projections.rebuild('deliveries');
    const later = await open();
    expect(later.get('a')).toEqual({ ...log.get('a'), message });
    expect([...later.pending()]).toMatchObject([{ deliveryId: 'a', attempts: 2, tries: 1 }]);
    expect(await later.record(attempted('a', 3, 'succeeded'))).toMatchObject({ state: 'succeeded' });
  });
});
