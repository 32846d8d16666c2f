import { NO_STREAM, START } from '@eventstore/db-client';

import { AppendRecordsClient, checkOf, recordOf } from '#testkit/event-store/eventstoredb/append-records-client';
import {
  append,
  category,
  client,
  collect,
  dialect,
  happened,
  ids,
  measured,
  real,
  server,
  stream,
  useMeasuredServer,
  uuid,
  withTestServer,
} from '#testkit/event-store/eventstoredb/measured-server';

/** gRPC's codes. */
const INVALID_ARGUMENT = 3;
const DEADLINE_EXCEEDED = 4;
const FAILED_PRECONDITION = 9;
const UNIMPLEMENTED = 12;

const [NONE, ANY_STATE, EXISTS, TOMBSTONED] = [-1, -2, -4, -6];

/** The measured behaviour of KurrentDB 26.1 towards appends to several streams; the servers before it have no such call. Where its sources say more, so does this. */
describe.each(measured)('the measured behaviour of appends to several streams, on $name', ({ started }) => {
  useMeasuredServer(started);

  let records: AppendRecordsClient;
  beforeAll(() => void (records = new AppendRecordsClient(real ?? server!.connectionString)));
  afterAll(() => records.close());

  const records26 = (title: string, test: () => Promise<unknown>): void =>
    it(`${title}, on KurrentDB`, async () => {
      if (dialect === '26.1') return void (await test());
      expect(await records.refusal({ records: [recordOf(stream(), uuid())] })).toMatchObject({ code: UNIMPLEMENTED });
    });

  records26('store events of several streams in their order, and answer the last revision of each', async () => {
    const of = category();
    const [a, b] = [stream(of), stream(of)];
    const order = [a, b, a, b, a];
    const { revisions } = await records.append({ records: order.map((name) => recordOf(name, uuid())) });
    expect(revisions).toEqual([
      { stream: a, revision: '2' },
      { stream: b, revision: '1' },
    ]);
    const all = await collect(client.readAll({ fromPosition: START, maxCount: 1_000 }));
    expect(all.flatMap(({ event }) => (event?.streamId.startsWith(of) ? [event.streamId] : []))).toEqual(order);
  });

  records26('are refused by a check of a stream that they do not write, and store nothing', async () => {
    const [written, checked, other] = [stream(), stream(), stream()];
    await append(checked, [happened(), happened()], NO_STREAM);
    const refused = await records.refusal({ records: [recordOf(written, uuid())], checks: [checkOf(other, NONE), checkOf(checked, 0)] });
    const streamState = { stream: checked, expectedState: '0', actualState: '1' };
    expect(refused).toEqual({ code: FAILED_PRECONDITION, violations: [{ checkIndex: 1, streamState }] });
    expect((await records.append({ records: [recordOf(written, uuid())], checks: [checkOf(checked, 1)] })).revisions).toEqual([
      { stream: written, revision: '0' },
    ]);
  });

  records26('are told of every check that does not hold', async () => {
    const [a, b] = [stream(), stream()];
    await append(a, [happened()], NO_STREAM);
    const { violations } = await records.refusal({
      records: [recordOf(stream(), uuid())],
      checks: [checkOf(a, NONE), checkOf(b, 3), checkOf(stream(), EXISTS)],
    });
    expect(violations.map(({ streamState }) => [streamState.stream, streamState.actualState ?? '0'])).toEqual([
      [a, '0'],
      [b, '-1'],
      [expect.any(String), '-1'],
    ]);
  });

  records26('answer a repetition by the same ids as the first call, whatever the checks say then', async () => {
    const [a, b, checked] = [stream(), stream(), stream()];
    const request = { records: [recordOf(a, uuid()), recordOf(b, uuid())], checks: [checkOf(a, NONE), checkOf(b, NONE), checkOf(checked, NONE)] };
    const first = await records.append(request);
    await append(checked, [happened()], NO_STREAM);
    await append(a, [happened()], 0n);
    expect((await records.append(request)).revisions).toEqual(first.revisions);
    expect([(await ids(a)).length, (await ids(b)).length]).toEqual([2, 1]);
  });

  records26('are refused when one part of them is stored and another is not', async () => {
    const [a, b, c] = [stream(), stream(), stream()];
    const known = recordOf(a, uuid());
    await records.append({ records: [known, recordOf(b, uuid())], checks: [checkOf(a, NONE), checkOf(b, NONE)] });
    const mixed = { records: [known, recordOf(c, uuid())], checks: [checkOf(a, NONE), checkOf(c, NONE)] };
    expect(await records.refusal(mixed)).toMatchObject({ violations: [{ streamState: { stream: a } }] });
  });

  records26('find a tombstoned stream in a state of its own, which takes no event and is none to a check of no stream', async () => {
    const [closed, other] = [stream(), stream()];
    await append(closed, [happened()], NO_STREAM);
    await client.tombstoneStream(closed);
    for (const checks of [[checkOf(closed, 0)], [checkOf(closed, NONE)]]) {
      const { violations } = await records.refusal({ records: [recordOf(closed, uuid())], checks });
      expect(violations).toMatchObject([{ streamState: { stream: closed, actualState: '-6' } }]);
    }
    expect(await records.refusal({ records: [recordOf(other, uuid())], checks: [checkOf(closed, 0)] })).toMatchObject({
      violations: [{ streamState: { actualState: '-6' } }],
    });
    await records.append({ records: [recordOf(other, uuid())], checks: [checkOf(closed, NONE)] });
    await records.append({ records: [recordOf(other, uuid())], checks: [checkOf(closed, TOMBSTONED)] });
  });

  records26('are shown with metadata that the server has written anew, and two members more', async () => {
    const name = stream();
    const properties = {
      v: { numberValue: 1 },
      note: { stringValue: '<é>' },
      nested: { structValue: { fields: { list: { listValue: { values: [{ boolValue: true }, { nullValue: 0 as const }] } } } } },
    };
    await records.append({ records: [recordOf(name, uuid(), properties, { n: 1 })] });
    const [read] = await collect(client.readStream(name));
    expect(read?.event).toMatchObject({ type: 'Happened', isJson: true, data: { n: 1 } });
    expect(read?.event?.metadata).toEqual({
      v: 1,
      note: '<é>',
      nested: { list: [true, null] },
      '$schema.name': 'Happened',
      '$schema.format': 'Json',
    });
  });

  records26('take names that differ in case alone for one stream, the one that is named first', async () => {
    const [lower, upper] = [stream(), stream().toUpperCase()];
    const both = [recordOf(lower, uuid()), recordOf(lower.toUpperCase(), uuid())];
    expect((await records.append({ records: both })).revisions).toEqual([{ stream: lower, revision: '1' }]);
    const twice = { records: [recordOf(stream(), uuid())], checks: [checkOf(upper, NONE), checkOf(upper.toLowerCase(), NONE)] };
    expect(await records.refusal(twice)).toMatchObject({ code: INVALID_ARGUMENT });
  });

  records26('are refused as invalid without records, with a stream twice in the checks, and with a check for any state', async () => {
    const name = stream();
    const refused = [
      { records: [], checks: [checkOf(name, NONE)] },
      { records: [recordOf(name, uuid())], checks: [checkOf(name, NONE), checkOf(name, EXISTS)] },
      { records: [recordOf(name, uuid())], checks: [checkOf(name, ANY_STATE)] },
      { records: [recordOf(name, 'no id')] },
      { records: [recordOf('', uuid())] },
    ];
    for (const request of refused) expect(await records.refusal(request)).toMatchObject({ code: INVALID_ARGUMENT, violations: [] });
    expect(await records.append({ records: [recordOf(name, uuid())], checks: [checkOf(name, NONE)] })).toMatchObject({
      revisions: [{ stream: name }],
    });
  });

  withTestServer('while the first call is not readable yet', () => {
    afterEach(() => server!.set({ readLag: 'sometimes' }));

    records26('time out when they are repeated, and are stored once', async () => {
      await server!.set({ readLag: 'always' });
      const [a, b] = [stream(), stream()];
      const request = { records: [recordOf(a, uuid()), recordOf(b, uuid())], checks: [checkOf(a, NONE), checkOf(b, NONE)] };
      const first = records.append(request);
      expect(await records.refusal(request)).toMatchObject({ code: DEADLINE_EXCEEDED });
      const { revisions } = await first;
      expect((await records.append(request)).revisions).toEqual(revisions);
      expect([(await ids(a)).length, (await ids(b)).length]).toEqual([1, 1]);
    });
  });
});
