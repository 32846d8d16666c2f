import { jest } from '@jest/globals';

import { type EndpointId } from '#kernel';

import type { DeliveryEvent } from '../domain/delivery.events.js';
import { deliveryLogStream } from '../streams.js';
import { DeliveryLog } from './delivery-log.js';
import { DeliveryLogs } from './delivery-logs.js';
import {
  endpointId,
  store,
  clock,
  rows,
  useDeliveryLogs,
  open,
  tabled,
  added,
  attempted,
  ReadingDuringConflict,
  nothing,
} from '#testkit/webhook/delivery-logs';

useDeliveryLogs();

describe('the memory of a log', () => {
  const MANY = 1_000;
  const deliver = async (log: DeliveryLog): Promise<readonly string[]> => {
    const ids = Array.from({ length: MANY }, (_, number) => `d${number}`);
    await Promise.all(ids.map((id) => log.record(added(id))));
    await Promise.all(ids.map((id) => log.record(attempted(id, 1, 'succeeded'))));
    await tabled();
    await log.forgetEnded();
    return ids;
  };

  it('holds nothing of ended deliveries once the tables hold them, and none of them begins again', async () => {
    const log = await open();
    const [first, second] = await deliver(log);
    expect(log.size).toBe(0);
    await log.record(added('pending'));
    expect(log.size).toBe(1);
    expect(await Promise.all([log.record(added(first!)), log.record(added(second!))])).toEqual([undefined, undefined]);
    expect((await log.find([first!])).get(first!)).toMatchObject({ state: 'succeeded' });
    expect((await open()).size).toBe(1);
  });

  it('adds no delivery again that ended a moment ago, when it comes together with a new one', async () => {
    const log = await open();
    await log.record(added('a'));
    await log.record(attempted('a', 1, 'succeeded'));
    await tabled();
    // The first call begins an append of its own, the others share the next one.
    const again = await Promise.all([log.record(added('a')), log.record(added('a')), log.record(added('new', 2))]);
    expect(again).toEqual([undefined, undefined, expect.objectContaining({ state: 'pending' })]);
    expect((await store.read<DeliveryEvent>(deliveryLogStream(endpointId))).map(({ data }) => data.deliveryId)).toEqual(['a', 'a', 'new']);
  });

  it('asks the tables once for simultaneous deliveries, and not for their attempts', async () => {
    const find = jest.spyOn(rows, 'find');
    const log = await open();
    const ids = Array.from({ length: 100 }, (_, number) => `d${number}`);
    await Promise.all(ids.map((id) => log.record(added(id))));
    await Promise.all(ids.map((id) => log.record(attempted(id, 1, 'succeeded'))));
    // The first call begins an append of its own.
    expect(find.mock.calls.map(([, asked]) => asked.length)).toEqual([1, 99]);
  });

  it('is filled from the log again when the tables were restored from an older copy', async () => {
    const log = await open();
    await log.record(added('a'));
    await log.record(attempted('a', 1, 'succeeded'));
    await log.record(added('b', 2));
    await tabled();
    await log.forgetEnded();
    expect(log.size).toBe(1);
    jest.spyOn(rows, 'find').mockResolvedValue(nothing);
    jest.spyOn(rows, 'pending').mockResolvedValue(nothing);
    expect(await log.record(added('a'))).toBeUndefined();
    expect(log.get('a')).toMatchObject({ state: 'succeeded' });
    expect([...log.pending()].map(({ deliveryId }) => deliveryId)).toEqual(['b']);
  });

  it('keeps what it has read when it reads on during an append that conflicts', async () => {
    const over = new ReadingDuringConflict(store);
    const log = await open(over);
    await log.record(added('a'));
    await (await open()).record(added('b', 2));
    over.during = async () => {
      await (await open()).record(added('c', 3));
      await log.refresh();
    };
    const read = jest.spyOn(over, 'read');
    expect(await log.record(attempted('a', 1, 'succeeded'))).toMatchObject({ state: 'succeeded' });
    expect(read.mock.calls.map(([, options]) => options?.from)).not.toContain(0);
  });

  it('follows the store where the store was restored from an older copy and the tables were not', async () => {
    const newer = { revision: 7, failingSince: undefined, deliveries: [] };
    const other = await open();
    await other.record(added('a'));
    await other.record(attempted('a', 1, 'succeeded'));
    const log = new DeliveryLog(endpointId, { store, clock, rows: { pending: async () => newer, find: async () => newer } });
    await log.refresh();
    expect(await Promise.all([log.record(added('b', 2)), log.record(added('a'))])).toEqual([
      expect.objectContaining({ state: 'pending' }),
      undefined,
    ]);
    expect(log.get('a')).toMatchObject({ state: 'succeeded' });
  });
});

describe('the open logs', () => {
  it('are read again after a restoration, without the tables: another delivery may have the revision of a lost one', async () => {
    const tables = { revision: 1, failingSince: undefined, deliveries: [] };
    const logs = new DeliveryLogs({ store, clock, rows: { pending: async () => tables, find: async () => tables } });
    const before = await logs.of(endpointId);
    // The copy has gone on as far as the lost part had come.
    const other = await open();
    await other.record(added('a'));
    await other.record(added('b', 2));
    logs.storeRestored();
    const after = await logs.of(endpointId);
    expect(after).not.toBe(before);
    expect(['a', 'b'].map((id) => after.get(id)?.state)).toEqual(['pending', 'pending']);
    expect(await after.record(added('a'))).toBeUndefined();
  });

  it('drop ended deliveries once each, while other deliveries go on', async () => {
    const logs = new DeliveryLogs({ store, clock, rows });
    const ids = [1, 2, 3].map((number) => `00000000-0000-4000-8000-0000000000e${number}` as EndpointId);
    const use = () => Promise.all(ids.map((id) => logs.of(id)));
    await use();
    const asked: EndpointId[] = [];
    jest.spyOn(DeliveryLog.prototype, 'forgetEnded').mockImplementation(async function (this: DeliveryLog) {
      asked.push(this.endpointId);
      if (asked.length > ids.length) throw new Error('asked again');
      await use();
    });
    await logs.forgetEnded();
    expect(asked.toSorted()).toEqual(ids);
    jest.restoreAllMocks();
  });
});
