import { setTimeout as wait } from 'node:timers/promises';

import { ANY, BACKWARDS, END, type EventStoreDBClient, jsonEvent, NO_STREAM, START, streamNameFilter } from '@eventstore/db-client';

import { openClient } from './client.js';
import { SpawnedTestServer } from './testing/spawned-test-server.js';

const real = process.env['ESDB_URL'];

const happened = (data: Record<string, unknown> = {}, id?: string) => jsonEvent({ type: 'Happened', data, ...(id !== undefined && { id }) });
const uuid = (): string => crypto.randomUUID();
const category = (): string => `raw${uuid().replaceAll('-', '')}`;
const stream = (of = category()): string => `${of}-${uuid()}`;

const collect = async <Item>(items: AsyncIterable<Item>): Promise<Item[]> => {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
};
const refusal = (work: Promise<unknown>): Promise<Error & Record<string, unknown>> =>
  work.then(
    () => Promise.reject(new Error('it succeeded')),
    (error: Error & Record<string, unknown>) => error,
  );

/**
 * What a real EventStoreDB (23.10.7) was measured to do to its client, as far as our adapter meets it. The gRPC test server
 * must do the same: whoever changes it changes it here first. With ESDB_URL the statements are checked against a real server.
 */
describe(`EventStoreDB, as ${real ? 'it is at ESDB_URL' : 'the gRPC test server stands in for it'}`, () => {
  let server: SpawnedTestServer | undefined;
  let client: EventStoreDBClient;

  beforeAll(async () => {
    server = real ? undefined : await SpawnedTestServer.start();
    client = openClient(real ?? server!.connectionString);
  });
  afterAll(async () => {
    await Promise.race([client.dispose(), wait(500)]);
    await server?.[Symbol.asyncDispose]();
  });

  const append = (name: string, events: ReturnType<typeof happened>[], expectedRevision: bigint | typeof NO_STREAM | typeof ANY) =>
    client.appendToStream(name, events, { expectedRevision });
  const ids = async (name: string): Promise<string[]> => (await collect(client.readStream(name))).map(({ event }) => event!.id);

  describe('appending', () => {
    it('expects nothing when nothing is said: ANY', async () => {
      const name = stream();
      await client.appendToStream(name, happened());
      expect(await client.appendToStream(name, happened())).toMatchObject({ success: true, nextExpectedRevision: 1n });
    });

    it('tells of a conflict by type and fields, with an empty message', async () => {
      const name = stream();
      const missing = await refusal(append(name, [happened()], 4n));
      expect(missing).toMatchObject({ type: 'wrong-expected-version', streamName: name, expectedVersion: 4n, actualVersion: 'no_stream', message: '' });
      await append(name, [happened(), happened()], NO_STREAM);
      expect(await refusal(append(name, [happened()], NO_STREAM))).toMatchObject({ expectedVersion: 'no_stream', actualVersion: 1n });
    });

    it('reports any conflict as revision 1 to who does not want it thrown: a trap of the client', async () => {
      const name = stream();
      await append(name, [happened(), happened(), happened(), happened()], NO_STREAM);
      const connectionString = real ?? server!.connectionString;
      const quiet = openClient(`${connectionString}${connectionString.includes('?') ? '&' : '?'}throwOnAppendFailure=false`);
      expect(await quiet.appendToStream(name, happened(), { expectedRevision: 0n })).toMatchObject({ success: false, nextExpectedRevision: 1n });
      await Promise.race([quiet.dispose(), wait(500)]);
    });

    it('works by a call of its own for who brings credentials', async () => {
      const name = stream();
      const options = { expectedRevision: NO_STREAM, credentials: { username: 'admin', password: 'changeit' } } as const;
      expect(await client.appendToStream(name, happened(), options)).toMatchObject({ success: true, nextExpectedRevision: 0n });
      expect(await refusal(client.appendToStream(name, happened(), options))).toMatchObject({ type: 'wrong-expected-version', actualVersion: 0n });
    });

    it('takes the same ids at the same revision for a repetition, whatever their data', async () => {
      const name = stream();
      const [one, other] = [uuid(), uuid()];
      const first = await append(name, [happened({ n: 1 }, one), happened({ n: 2 }, other)], NO_STREAM);
      await append(name, [happened()], 1n);
      expect(await append(name, [happened({ n: 9 }, one), happened({ n: 9 }, other)], NO_STREAM)).toEqual(first);
      expect(await append(name, [happened({}, one)], NO_STREAM)).toMatchObject({ nextExpectedRevision: 0n });
      expect((await collect(client.readStream(name))).map(({ event }) => event!.data)).toEqual([{ n: 1 }, { n: 2 }, {}]);
    });

    it('takes every other mixture of known and new ids for a conflict', async () => {
      const name = stream();
      const [one, other] = [uuid(), uuid()];
      await append(name, [happened({}, one), happened({}, other)], NO_STREAM);
      for (const mixture of [[other], [one, uuid()], [uuid(), one], [one, other, uuid()]])
        expect(await refusal(append(name, mixture.map((id) => happened({}, id)), NO_STREAM))).toMatchObject({ type: 'wrong-expected-version' });
    });

    it('stores the same id again at the current revision', async () => {
      const name = stream();
      const same = uuid();
      await append(name, [happened({}, same)], NO_STREAM);
      await append(name, [happened({}, same)], 0n);
      expect(await ids(name)).toEqual([same, same]);
    });

    it('knows a repetition with ANY only as long as it remembers', async () => {
      const name = stream();
      const same = uuid();
      await append(name, [happened({}, same)], ANY);
      await append(name, [happened({}, same)], ANY);
      expect(await ids(name)).toEqual([same]);
      if (!server) return;
      await server.kill();
      await server.restart();
      await append(stream(), [happened()], ANY).catch(() => undefined); // may find the old connection dead
      await append(name, [happened({}, same)], ANY);
      expect(await ids(name)).toEqual([same, same]);
    }, 20_000);

    it('stores an event once when a copy is sent while the first is pending; the copy may run into a time-out', async () => {
      const name = stream();
      const same = happened({}, uuid());
      const outcomes = await Promise.allSettled([append(name, [same], NO_STREAM), append(name, [same], NO_STREAM)]);
      expect(outcomes[0].status).toBe('fulfilled');
      if (outcomes[1].status === 'rejected') expect(outcomes[1].reason).toMatchObject({ type: 'deadline-exceeded' });
      expect(await ids(name)).toEqual([same.id]);
    }, 15_000);

    it('is not disturbed by bad appends beside it', async () => {
      const [full, dead] = [stream(), stream()];
      await append(full, [happened()], NO_STREAM);
      await client.tombstoneStream(dead);
      const outcomes = await Promise.allSettled([
        append(full, [happened()], 7n),
        append(stream(), [happened({ text: 'x'.repeat(1024 * 1024) })], NO_STREAM),
        append(dead, [happened()], NO_STREAM),
        append(stream(), [happened({}, 'no uuid')], NO_STREAM),
        append(full, [happened()], 0n),
      ]);
      expect(outcomes.map((outcome) => (outcome.status === 'rejected' ? (outcome.reason as { type: string }).type : 'stored'))).toEqual([
        'wrong-expected-version',
        'maximum-append-size-exceeded',
        'stream-deleted',
        'unknown',
        'stored',
      ]);
    });

    it('of more than 16 MiB ends the whole call, and works again at once', async () => {
      await refusal(append(stream(), [happened({ text: 'x'.repeat(17 * 1024 * 1024) })], NO_STREAM));
      await wait(100);
      expect(await append(stream(), [happened()], NO_STREAM)).toMatchObject({ success: true });
    }, 20_000);

    it('of nothing succeeds', async () => {
      expect(await append(stream(), [], NO_STREAM)).toMatchObject({ success: true });
    });
  });

  describe('reading', () => {
    it('throws for a stream that never was, in the iteration', async () => {
      const name = stream();
      expect(await refusal(collect(client.readStream(name)))).toMatchObject({ type: 'stream-not-found', streamName: name });
    });

    it('is empty past the end, and begins at the end when it goes backwards from beyond', async () => {
      const name = stream();
      await append(name, [happened(), happened()], NO_STREAM);
      expect(await collect(client.readStream(name, { fromRevision: 2n }))).toEqual([]);
      expect(await collect(client.readStream(name, { fromRevision: 9n, direction: BACKWARDS }))).toHaveLength(2);
    });

    it('goes backwards from the begin unless told otherwise', async () => {
      const name = stream();
      await append(name, [happened(), happened(), happened()], NO_STREAM);
      const revisions = async (options: object) => (await collect(client.readStream(name, { direction: BACKWARDS, ...options }))).map(({ event }) => event!.revision);
      expect(await revisions({})).toEqual([0n]);
      expect(await revisions({ fromRevision: END })).toEqual([2n, 1n, 0n]);
    });

    it('fails for a count of 0', async () => {
      const name = stream();
      await append(name, [happened()], NO_STREAM);
      await refusal(collect(client.readStream(name, { maxCount: 0 })));
    });

    it('gives each event a position of its own, also within one append', async () => {
      const name = stream();
      await append(name, [happened(), happened(), happened()], NO_STREAM);
      const positions = (await collect(client.readStream(name))).map(({ event }) => event!.position!.commit);
      expect(new Set(positions).size).toBe(3);
      expect(positions).toEqual(positions.toSorted((a, b) => Number(a - b)));
    });

    it('goes through everything backwards from the end', async () => {
      const name = stream();
      await append(name, [happened()], NO_STREAM);
      const [last] = await collect(client.readAll({ direction: BACKWARDS, fromPosition: END, maxCount: 1 }));
      expect(last?.event?.position?.commit).toBeGreaterThanOrEqual((await collect(client.readStream(name)))[0]!.event!.position!.commit);
    });
  });

  describe('a subscription to all', () => {
    const subscribe = (prefix: string, fromPosition: { commit: bigint; prepare: bigint } | typeof START | typeof END, checkpointReached = async () => undefined as void) =>
      client.subscribeToAll({ fromPosition, filter: streamNameFilter({ prefixes: [prefix], checkpointInterval: 1, checkpointReached }) });

    it('says when it has caught up', async () => {
      const subscription = subscribe(`${category()}-`, START);
      await new Promise<void>((resolve) => subscription.on('caughtUp', () => resolve()));
      await subscription.unsubscribe();
    }, 20_000);

    it('begins after its position, also inside an append of several events', async () => {
      const own = category();
      const name = stream(own);
      await append(name, [happened(), happened(), happened()], NO_STREAM);
      const second = (await collect(client.readStream(name)))[1]!.event!.position!;
      const subscription = subscribe(`${own}-`, second);
      for await (const { event } of subscription) {
        expect(event!.revision).toBe(2n);
        break;
      }
      await subscription.unsubscribe();
    }, 20_000);

    it('tells where it is after many events that do not concern it', async () => {
      await append(stream(), Array.from({ length: 200 }, () => happened()), NO_STREAM);
      const reached = Promise.withResolvers<void>();
      const subscription = subscribe(`${category()}-`, START, async () => reached.resolve());
      subscription.on('error', () => undefined);
      await reached.promise;
      await subscription.unsubscribe();
    }, 20_000);

    it('still shows events that have expired and that were deleted, and the tombstone as an event', async () => {
      const own = category();
      const [expired, deleted, dead] = [stream(own), stream(own), stream(own)];
      await client.setStreamMetadata(expired, { maxAge: 1 });
      for (const name of [expired, deleted, dead]) await append(name, [happened()], NO_STREAM);
      await client.deleteStream(deleted);
      await client.tombstoneStream(dead);
      await wait(1_100);
      const seen: string[] = [];
      const subscription = subscribe(`${own}-`, START);
      for await (const { event } of subscription) {
        seen.push(event!.type);
        if (seen.length === 4) break;
      }
      await subscription.unsubscribe();
      expect(seen).toEqual(['Happened', 'Happened', 'Happened', '$streamDeleted']);
    }, 20_000);
  });

  describe('retention', () => {
    it('by age hides events from reads, in time, and goes on counting them', async () => {
      const name = stream();
      await client.setStreamMetadata(name, { maxAge: 1 });
      await append(name, [happened(), happened()], NO_STREAM);
      expect(await ids(name)).toHaveLength(2);
      await wait(1_100);
      expect(await ids(name)).toEqual([]);
      expect(await refusal(append(name, [happened()], NO_STREAM))).toMatchObject({ actualVersion: 1n });
    });

    it('by count and by truncation acts at once, and the exact revision goes on', async () => {
      const name = stream();
      await append(name, [happened(), happened(), happened()], NO_STREAM);
      await client.setStreamMetadata(name, { maxCount: 1 });
      expect(await ids(name)).toHaveLength(1);
      expect(await append(name, [happened()], 2n)).toMatchObject({ nextExpectedRevision: 3n });
      await client.setStreamMetadata(name, { truncateBefore: 4 });
      expect(await ids(name)).toEqual([]);
    });

    it('set before the first event leaves the stream NO_STREAM', async () => {
      const name = stream();
      await client.setStreamMetadata(name, { maxAge: 3_600 });
      expect(await refusal(collect(client.readStream(name)))).toMatchObject({ type: 'stream-not-found' });
      expect(await append(name, [happened()], NO_STREAM)).toMatchObject({ nextExpectedRevision: 0n });
    });
  });

  describe('deleting', () => {
    it('hides the stream; it goes on at the next revision, and the old ids answer success and store nothing', async () => {
      const name = stream();
      const batch = [happened({}, uuid()), happened({}, uuid())];
      await append(name, batch, NO_STREAM);
      await client.deleteStream(name);
      expect(await refusal(collect(client.readStream(name)))).toMatchObject({ type: 'stream-not-found' });
      expect(await append(name, batch, NO_STREAM)).toMatchObject({ nextExpectedRevision: 1n });
      expect(await refusal(collect(client.readStream(name)))).toMatchObject({ type: 'stream-not-found' });
      const again = happened({}, uuid());
      expect(await append(name, [again], NO_STREAM)).toMatchObject({ nextExpectedRevision: 2n });
      expect(await ids(name)).toEqual([again.id]);
    });

    // IndexWriter.CheckCommit and StorageWriterService of 23.10.7: what the adapter's second try for NO_STREAM is for.
    it('is forgotten when metadata is set afterwards, and does not know the repetition of the append that began again', async () => {
      const [retained, begun] = [stream(), stream()];
      for (const name of [retained, begun]) {
        await append(name, [happened(), happened()], NO_STREAM);
        await client.deleteStream(name);
      }
      await client.setStreamMetadata(retained, { maxAge: 3_600 });
      expect(await collect(client.readStream(retained))).toEqual([]);
      expect(await client.getStreamMetadata(retained)).toMatchObject({ metadata: { truncateBefore: 2, maxAge: 3_600 } });
      expect(await refusal(append(retained, [happened()], NO_STREAM))).toMatchObject({ actualVersion: 1n });
      const again = happened({}, uuid());
      await append(begun, [again], NO_STREAM);
      expect(await refusal(append(begun, [again], NO_STREAM))).toMatchObject({ actualVersion: 2n });
      expect(await append(begun, [again], 1n)).toMatchObject({ nextExpectedRevision: 2n });
    });

    it('of a stream that never was is refused', async () => {
      expect(await refusal(client.deleteStream(stream()))).toMatchObject({ type: 'wrong-expected-version' });
    });
  });

  describe('a tombstone', () => {
    it('closes the stream for ever, also one that never was', async () => {
      const [used, unused] = [stream(), stream()];
      await append(used, [happened()], NO_STREAM);
      for (const name of [used, unused]) {
        await client.tombstoneStream(name);
        expect(await refusal(append(name, [happened()], NO_STREAM))).toMatchObject({ type: 'stream-deleted' });
        expect(await refusal(append(name, [happened()], 0n))).toMatchObject({ type: 'stream-deleted' });
        expect(await refusal(collect(client.readStream(name)))).toMatchObject({ type: 'stream-deleted', streamName: name });
        expect(await refusal(client.setStreamMetadata(name, { maxAge: 1 }))).toMatchObject({ type: 'stream-deleted' });
        expect(await refusal(client.tombstoneStream(name))).toMatchObject({ type: 'stream-deleted' });
      }
    });
  });

  const withTestServer = real ? describe.skip : describe;
  withTestServer('when the server dies', () => {
    it('appends that are pending are refused as unavailable at once, later ones by a plain error; then all works again', async () => {
      await append(stream(), [happened()], NO_STREAM);
      await server!.set({ delayAnswers: 60_000 });
      const pending = refusal(append(stream(), [happened()], NO_STREAM));
      await wait(100);
      await server!.kill();
      expect(await pending).toMatchObject({ type: 'unavailable', code: 14 });
      const later = await refusal(append(stream(), [happened()], NO_STREAM));
      expect(later).toMatchObject({ code: 14 });
      expect(later.constructor).toBe(Error);
      expect(later['type']).toBeUndefined();
      await server!.restart();
      expect(await append(stream(), [happened()], NO_STREAM)).toMatchObject({ success: true });
    }, 20_000);

    it('subscriptions throw and never come back by themselves', async () => {
      const subscription = client.subscribeToAll({ fromPosition: END });
      await new Promise<void>((resolve) => subscription.on('confirmation', () => resolve()));
      const ended = refusal(collect(subscription));
      await server!.kill();
      expect(await ended).toMatchObject({ code: 14 });
      await server!.restart();
    }, 20_000);
  });
});
