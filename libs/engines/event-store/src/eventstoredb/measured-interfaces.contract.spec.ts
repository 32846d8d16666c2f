import { once } from 'node:events';
import { copyFile } from 'node:fs/promises';
import { connect } from 'node:http2';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

import { BACKWARDS, END, NO_STREAM } from '@eventstore/db-client';

import { BEHAVIOURS } from '#testkit/event-store/eventstoredb/grpc-test-server/dialect';
import {
  append,
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
import { EndedAtStart, SpawnedTestServer } from '#testkit/event-store/eventstoredb/spawned-test-server';
import { openClient, serverVersionOf } from './client.js';

/** The version, asked by plain HTTP/2: gRPC's frames as they come. */
const asked = async (address: string, accepted: string): Promise<{ readonly encoding: unknown; readonly frame: Buffer }> => {
  const session = connect(address);
  const call = session.request({
    ':method': 'POST',
    ':path': '/event_store.client.server_features.ServerFeatures/GetSupportedMethods',
    'content-type': 'application/grpc',
    te: 'trailers',
    'grpc-accept-encoding': accepted,
  });
  call.end(Buffer.alloc(5));
  const [headers] = (await once(call, 'response')) as [Record<string, unknown>];
  const frame = Buffer.concat(await collect(call as AsyncIterable<Buffer>));
  session.close();
  return { encoding: headers['grpc-encoding'], frame };
};

describe.each(measured)('the measured behaviour of the servers, on $name', ({ started }) => {
  useMeasuredServer(started);

  const address = (): string => {
    const { host, searchParams } = new URL((real ?? server!.connectionString).replace(/^esdb/, 'http'));
    return `${searchParams.get('tls') === 'false' ? 'http' : 'https'}://${host}`;
  };

  describe('the version', () => {
    it('is told by the features of the server and by /info', async () => {
      const version = await serverVersionOf(client);
      expect(version).toMatch(/^\d+\.\d+/);
      const info = (await (await fetch(`${address()}/info`)).json()) as { readonly esVersion: string };
      expect(info.esVersion.split('.').slice(0, 2)).toEqual(version.split('.').slice(0, 2));
      if (!real) expect(version).toContain(BEHAVIOURS[dialect].version);
    });
  });

  it('says that it lives', async () => {
    expect((await fetch(`${address()}/health/live`)).status).toBe(204);
  });

  describe('an answer', () => {
    it('is compressed by KurrentDB, also a short one, when the client takes gzip', async () => {
      const { encoding, frame } = await asked(address(), 'identity,deflate,gzip');
      expect(frame.readUInt32BE(1)).toBe(frame.length - 5);
      if (dialect !== '26.1') return expect(frame[0]).toBe(0);
      expect([encoding, frame[0]]).toEqual(['gzip', 1]);
      expect(gunzipSync(frame.subarray(5)).toString()).toContain(await serverVersionOf(client));
    });

    it('is not compressed for a client that does not take gzip', async () => {
      const { frame } = await asked(address(), 'identity');
      expect(frame[0]).toBe(0);
      expect(frame.subarray(5).toString()).toContain(await serverVersionOf(client));
    });

    it('is whole whatever its size, in many calls at once, with its failures', async () => {
      const sizes = [0, 1, 1_000, 20_000, 900_000];
      const names = await Promise.all(
        sizes.map(async (size) => {
          const name = stream();
          await append(name, [happened({ text: uuid().repeat(size / 36) }), happened()], NO_STREAM);
          return name;
        }),
      );
      const lengths = names.map(async (name) => ((await collect(client.readStream(name)))[0]!.event!.data as { text: string }).text.length);
      expect(await Promise.all(lengths)).toEqual(sizes.map((size) => Math.floor(size / 36) * 36));
      await expect(collect(client.readStream(stream()))).rejects.toMatchObject({ type: 'stream-not-found' });
      await client.tombstoneStream(names[0]!);
      await expect(collect(client.readStream(names[0]!))).rejects.toMatchObject({ type: 'stream-deleted' });
    });
  });

  it('comes for each of many appends at once, burst after burst', async () => {
    for (const count of [500, 500, 1_500]) {
      const appending = Array.from({ length: count }, () => append(stream(), [happened()], NO_STREAM));
      expect((await Promise.all(appending)).every(({ success }) => success)).toBe(true);
    }
  });

  // Measured with the script of deploy/backup, which copies `chaser.chk` of the copy to `truncate.chk`.
  withTestServer('an older copy that is put back', () => {
    it('truncates the log at the next start; 23.10 goes on, later ones end with 0 and are started once more', async () => {
      await using own = await SpawnedTestServer.start('--dialect', dialect);
      const [kept, lost] = [stream(), stream()];
      const writer = openClient(own.connectionString);
      await writer.appendToStream(kept, happened(), { expectedRevision: NO_STREAM });
      await own.terminate();
      await copyFile(join(own.folder, 'chaser.chk'), join(own.folder, 'truncate.chk'));
      const first = await own.restart().catch((error: unknown) => error);
      if (dialect === '23.10') expect(first).toBeUndefined();
      else {
        expect(first).toBeInstanceOf(EndedAtStart);
        expect(first).toMatchObject({ exitCode: 0 });
        await own.restart();
      }
      const reader = openClient(own.connectionString);
      expect(await collect(reader.readStream(kept))).toHaveLength(1);
      await copyFile(join(own.folder, 'chaser.chk'), join(own.folder, 'older.chk'));
      await reader.appendToStream(lost, happened(), { expectedRevision: NO_STREAM });
      await own.kill();
      await copyFile(join(own.folder, 'older.chk'), join(own.folder, 'truncate.chk'));
      await own.restartRestored();
      const last = openClient(own.connectionString);
      await expect(collect(last.readStream(lost))).rejects.toMatchObject({ type: 'stream-not-found' });
      const [end] = await collect(last.readAll({ direction: BACKWARDS, fromPosition: END, maxCount: 1 }));
      expect(end!.event!.streamId).toBe(kept);
      for (const one of [writer, reader, last]) void one.dispose();
    });
  });

  it('takes a connection over after the one before was broken off', async () => {
    for (let round = 0; round < 5; round += 1) {
      const short = openClient(real ?? server!.connectionString);
      const name = stream();
      await short.appendToStream(name, happened(), { expectedRevision: NO_STREAM });
      short.subscribeToAll({ fromPosition: END }).on('error', () => undefined);
      void short.dispose();
      expect(await ids(name)).toHaveLength(1);
    }
  });
});

withTestServer('an answer of KurrentDB whose operator has switched the compression off', () => {
  it('is not compressed, also for a client that takes gzip', async () => {
    await using own = await SpawnedTestServer.start('--dialect', '26.1', '--compression-level', 'NoCompression');
    const { encoding, frame } = await asked(`http://127.0.0.1:${own.port}`, 'identity,deflate,gzip');
    expect(encoding).not.toBe('gzip');
    expect(frame[0]).toBe(0);
  });
});
