import { setTimeout as wait } from 'node:timers/promises';

import { BACKWARDS, END, NO_STREAM, START, streamNameFilter } from '@eventstore/db-client';

import { eventually } from '#testkit/kernel/eventually';

import {
  real,
  happened,
  uuid,
  category,
  stream,
  collect,
  refusal,
  measured,
  server,
  client,
  useMeasuredServer,
  append,
  ids,
} from '#testkit/event-store/eventstoredb/measured-server';

describe.each(measured)('the measured behaviour of the servers, on $name', ({ started }) => {
  useMeasuredServer(started);

  describe('retention', () => {
    it('by age hides events from reads, in time, and goes on counting them', async () => {
      const name = stream();
      await append(name, [happened(), happened()], NO_STREAM);
      await client.setStreamMetadata(name, { maxAge: 3_600 });
      expect(await ids(name)).toHaveLength(2);
      await client.setStreamMetadata(name, { maxAge: 1 });
      await eventually(async () => (await ids(name)).length === 0, { what: 'both are too old' });
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

    // IndexWriter.CheckCommit and StorageWriterService of 23.10.7: the reason for the adapter's second try for NO_STREAM.
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

    it('answers its position; the repetition of old ids after it answers none', async () => {
      const [deleted, dead] = [stream(), stream()];
      const first = happened({}, uuid());
      const { position: begun } = await append(deleted, [first], NO_STREAM);
      const { position: after } = await client.deleteStream(deleted);
      expect(after!.commit).toBeGreaterThan(begun!.commit);
      expect((await client.tombstoneStream(dead)).position!.commit).toBeGreaterThan(after!.commit);
      expect((await append(deleted, [first], NO_STREAM)).position).toBeUndefined();
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

  describe('a scavenge', () => {
    const admin = (path: string, method = 'GET', accept = 'application/json'): Promise<Response> => {
      const { host, username, password, searchParams } = new URL((real ?? server!.connectionString).replace(/^esdb/, 'http'));
      const headers = { accept, authorization: `Basic ${btoa(`${username || 'admin'}:${password || 'changeit'}`)}` };
      return fetch(`${searchParams.get('tls') === 'false' ? 'http' : 'https'}://${host}${path}`, { method, headers });
    };
    /** The events of a category that `$all` still shows: the stream's number and the revision, the tombstone as `dead`. */
    const left = async (own: string, names: readonly string[]): Promise<string[]> => {
      const subscription = client.subscribeToAll({ fromPosition: START, filter: streamNameFilter({ prefixes: [`${own}-`] }) });
      const seen: string[] = [];
      subscription.on('data', ({ event }) =>
        seen.push(`${names.indexOf(event!.streamId)} ${event!.type === '$streamDeleted' ? 'dead' : String(event!.revision)}`),
      );
      await new Promise<void>((resolve) => subscription.on('caughtUp', () => resolve()));
      await subscription.unsubscribe();
      return seen.toSorted();
    };
    const scavenged = async (): Promise<void> => {
      const { scavengeId } = (await (await admin('/admin/scavenge', 'POST')).json()) as { scavengeId: string };
      const log = async (): Promise<string[]> =>
        (await collect(client.readStream(`$scavenges-${scavengeId}`)).catch(() => [])).map(({ event }) => event!.type);
      await eventually(async () => (await log()).includes('$scavengeCompleted'), { what: 'the scavenge is complete', within: 60_000 });
      const [completed] = await collect(client.readStream(`$scavenges-${scavengeId}`, { direction: BACKWARDS, fromRevision: END, maxCount: 1 }));
      expect(completed!.event).toMatchObject({ type: '$scavengeCompleted', data: { scavengeId, result: 'Success' } });
      expect(await (await admin('/admin/scavenge/current')).json()).toEqual({ scavengeId: '', scavengeLink: '' });
    };

    it('keeps the last event of every stream, aged, counted, truncated or deleted, and of a tombstoned one the tombstone alone', async () => {
      const own = category();
      const names = Array.from({ length: 7 }, () => stream(own));
      const [aged, counted, truncated, deleted, dead, released, untouched] = names as [string, string, string, string, string, string, string];
      await client.setStreamMetadata(aged, { maxAge: 1 });
      for (const name of names) await append(name, [happened(), happened(), happened()], NO_STREAM);
      await client.setStreamMetadata(counted, { maxCount: 1 });
      await client.setStreamMetadata(truncated, { truncateBefore: 9 });
      await client.deleteStream(deleted);
      await client.tombstoneStream(dead);
      await append(released, [happened()], 2n);
      await client.setStreamMetadata(released, { truncateBefore: 3 });
      await wait(2_100);
      const positions = (await collect(client.readStream(untouched))).map(({ event }) => event!.position!);
      await scavenged();
      expect(await left(own, names)).toEqual(['0 2', '1 2', '2 2', '3 2', '4 dead', '5 3', '6 0', '6 1', '6 2']);
      expect(await ids(aged)).toEqual([]);
      expect(await ids(counted)).toHaveLength(1);
      expect(await refusal(append(dead, [happened()], NO_STREAM))).toMatchObject({ type: 'stream-deleted' });
      expect(positions).toEqual((await collect(client.readStream(untouched))).map(({ event }) => event!.position!));
    });

    it.each(['*/*', 'text/plain'])('is answered with text to a request that accepts %s', async (accept) => {
      const current = await admin('/admin/scavenge/current', 'GET', accept);
      expect(current.headers.get('content-type')).toContain('text/plain');
      expect(await current.text()).toContain('ScavengeId: ');
    });

    it('leaves the position of a removed event usable', async () => {
      const own = category();
      const name = stream(own);
      await append(name, [happened(), happened()], NO_STREAM);
      const { position } = (await collect(client.readStream(name)))[0]!.event!;
      await client.tombstoneStream(name);
      await scavenged();
      const subscription = client.subscribeToAll({ fromPosition: position!, filter: streamNameFilter({ prefixes: [`${own}-`] }) });
      const seen: string[] = [];
      for await (const { event } of subscription) {
        seen.push(event!.type);
        break;
      }
      await subscription.unsubscribe();
      expect(seen).toEqual(['$streamDeleted']);
    });

    const ofFiles = real ? it.skip : it;
    ofFiles(
      'takes the bytes out of the server’s files',
      async () => {
        const needle = `needle ${uuid()}`;
        const name = stream();
        await append(name, [happened({ needle }), happened({ needle })], NO_STREAM);
        expect(await server!.holds(needle)).toBe(true);
        await client.tombstoneStream(name);
        expect(await server!.holds(needle)).toBe(true);
        await scavenged();
        expect(await server!.holds(needle)).toBe(false);
      },
      30_000,
    );
  });
});
