import { setTimeout as wait } from 'node:timers/promises';

import { ANY, END, jsonEvent, NO_STREAM } from '@eventstore/db-client';

import { openClient } from './client.js';
import {
  real,
  happened,
  uuid,
  stream,
  collect,
  refusal,
  kindOf,
  dataOf,
  measured,
  server,
  client,
  dialect,
  useMeasuredServer,
  append,
  ids,
  withTestServer,
} from '#testkit/event-store/eventstoredb/measured-server';

const MEBIBYTE = 1024 * 1024;

/**
 * The measured behaviour of real servers (EventStoreDB 23.10.7 and 24.10.9, KurrentDB 26.1) towards the client, as far as our adapter meets it. The gRPC
 * test server must do the same: change a statement here before you change the test server. With ESDB_URL the statements are checked against a real server.
 */
describe.each(measured)('the measured behaviour of the servers, on $name', ({ started }) => {
  useMeasuredServer(started);

  describe('appending', () => {
    it('expects ANY by default', async () => {
      const name = stream();
      await client.appendToStream(name, happened());
      expect(await client.appendToStream(name, happened())).toMatchObject({ success: true, nextExpectedRevision: 1n });
    });

    it('tells of a conflict by type and fields, with an empty message', async () => {
      const name = stream();
      const missing = await refusal(append(name, [happened()], 4n));
      expect(missing).toMatchObject({
        type: 'wrong-expected-version',
        streamName: name,
        expectedVersion: 4n,
        actualVersion: 'no_stream',
        message: '',
      });
      await append(name, [happened(), happened()], NO_STREAM);
      expect(await refusal(append(name, [happened()], NO_STREAM))).toMatchObject({ expectedVersion: 'no_stream', actualVersion: 1n });
    });

    it('reports any conflict as revision 1 when it is not to be thrown: a trap of the client', async () => {
      const name = stream();
      await append(name, [happened(), happened(), happened(), happened()], NO_STREAM);
      const connectionString = real ?? server!.connectionString;
      const quiet = openClient(`${connectionString}${connectionString.includes('?') ? '&' : '?'}throwOnAppendFailure=false`);
      expect(await quiet.appendToStream(name, happened(), { expectedRevision: 0n })).toMatchObject({ success: false, nextExpectedRevision: 1n });
      await Promise.race([quiet.dispose(), wait(500)]);
    });

    it('works by a call of its own with credentials', async () => {
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
        expect(
          await refusal(
            append(
              name,
              mixture.map((id) => happened({}, id)),
              NO_STREAM,
            ),
          ),
        ).toMatchObject({ type: 'wrong-expected-version' });
    });

    it('stores the same id again at the current revision', async () => {
      const name = stream();
      const same = uuid();
      await append(name, [happened({}, same)], NO_STREAM);
      await append(name, [happened({}, same)], 0n);
      expect(await ids(name)).toEqual([same, same]);
    });

    it('recognises a repetition with ANY until the server starts again', async () => {
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
    });

    it('stores an event once when a copy is sent while the first is pending; the copy may run into a time-out', async () => {
      const name = stream();
      const same = happened({}, uuid());
      const outcomes = await Promise.allSettled([append(name, [same], NO_STREAM), append(name, [same], NO_STREAM)]);
      expect(outcomes[0].status).toBe('fulfilled');
      expect(['stored', 'deadline-exceeded']).toContain(kindOf(outcomes[1]));
      expect(await ids(name)).toEqual([same.id]);
    });

    it('is not disturbed by bad appends beside it', async () => {
      const [full, dead] = [stream(), stream()];
      await append(full, [happened()], NO_STREAM);
      await client.tombstoneStream(dead);
      const outcomes = await Promise.allSettled([
        append(full, [happened()], 7n),
        append(stream(), [happened({ text: 'x'.repeat(MEBIBYTE) })], NO_STREAM),
        append(dead, [happened()], NO_STREAM),
        append(stream(), [happened({}, 'no uuid')], NO_STREAM),
        append(full, [happened()], 0n),
      ]);
      const large = dialect === '26.1' ? 'stored' : 'maximum-append-size-exceeded';
      expect(outcomes.map(kindOf)).toEqual(['wrong-expected-version', large, 'stream-deleted', 'unknown', 'stored']);
    });

    it('of more than 16 MiB, of KurrentDB 17, ends the whole call, and works again at once', async () => {
      await refusal(append(stream(), [happened({ text: 'x'.repeat(17 * MEBIBYTE) })], NO_STREAM));
      await wait(100);
      expect(await append(stream(), [happened()], NO_STREAM)).toMatchObject({ success: true });
    });

    it('counts into its limit of 1 MiB the data alone, with 24.10 metadata and types too; KurrentDB has no such limit', async () => {
      const name = stream();
      const metadata = { text: 'x'.repeat(10_000) };
      const type = 'T'.repeat(1_000);
      const beside = dialect === '24.10' ? JSON.stringify(metadata).length + 2 * type.length : 0;
      const events = (bytes: number) => [300_000, bytes - 300_000].map((each) => jsonEvent({ type, data: dataOf(each - beside), metadata }));
      expect(await append(name, events(MEBIBYTE), NO_STREAM)).toMatchObject({ success: true });
      const more = append(name, events(MEBIBYTE + 1), 1n);
      if (dialect === '26.1') expect(await more).toMatchObject({ success: true });
      else expect(await refusal(more)).toMatchObject({ type: 'maximum-append-size-exceeded' });
    });

    it.each([undefined, { username: 'admin', password: 'changeit' }])(
      'is refused by KurrentDB when an event has more than 16 MiB, and leaves the call open (credentials: %j)',
      async (credentials) => {
        if (dialect !== '26.1') return;
        const beside = append(stream(), [happened()], NO_STREAM);
        const events = [happened({ text: 'x'.repeat(16 * MEBIBYTE) })];
        const large = client.appendToStream(stream(), events, { expectedRevision: NO_STREAM, ...(credentials && { credentials }) });
        await expect(large).rejects.toBeInstanceOf(Error);
        expect(await beside).toMatchObject({ success: true });
      },
    );

    it('gives ids back in lower case', async () => {
      const name = stream();
      const id = uuid();
      await append(name, [happened({}, id.toUpperCase())], NO_STREAM);
      expect(await ids(name)).toEqual([id]);
    });

    it('is refused without a stream, without a type, and with an id that is no UUID, by either call', async () => {
      const credentials = { username: 'admin', password: 'changeit' };
      for (const options of [{ expectedRevision: NO_STREAM }, { expectedRevision: NO_STREAM, credentials }] as const) {
        await expect(client.appendToStream('', happened(), options)).rejects.toBeInstanceOf(Error);
        await expect(client.appendToStream(stream(), jsonEvent({ type: '', data: {} }), options)).rejects.toBeInstanceOf(Error);
        await expect(client.appendToStream(stream(), happened({}, 'no uuid'), options)).rejects.toBeInstanceOf(Error);
      }
    });

    it('of nothing succeeds', async () => {
      expect(await append(stream(), [], NO_STREAM)).toMatchObject({ success: true });
    });
  });

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
    });

    it('subscriptions throw and do not resume', async () => {
      const subscription = client.subscribeToAll({ fromPosition: END });
      await new Promise<void>((resolve) => subscription.on('confirmation', () => resolve()));
      const ended = refusal(collect(subscription));
      await server!.kill();
      expect(await ended).toMatchObject({ code: 14 });
      await server!.restart();
    });
  });
});
