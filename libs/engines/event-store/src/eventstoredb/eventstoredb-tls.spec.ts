import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:tls';

import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';

import { TestCa } from '#testkit/engine-access/test-ca';
import { SystemClock, SystemRandomness } from '#kernel';
import { eventually } from '#testkit/kernel/eventually';

import { type EventStore, NO_STREAM, streamName } from '../event-store.js';
import { type EventStoreDbAccess, withAccess } from './eventstoredb-access.js';
import { EventStoreDbEventStore } from './eventstoredb-event-store.js';
import { SpawnedTestServer } from '#testkit/event-store/eventstoredb/spawned-test-server';

const PASSWORD = 'first secret: 1';

describe('EventStoreDB over TLS, by files (gRPC test server)', () => {
  const randomness = new SystemRandomness();
  let ca: TestCa;
  let server: SpawnedTestServer;
  let refusals: string[];
  const opened: EventStore[] = [];

  const usersFile = (password: string): Promise<string> => ca.write('users.json', JSON.stringify({ service: { password, groups: [] } }));
  const certificate = async (options: { readonly expired?: boolean } = {}): Promise<string[]> => {
    const { certFile, keyFile } = await ca.issue('server', options);
    return ['--tls-certificate', certFile, '--tls-key', keyFile];
  };

  beforeAll(async () => {
    ca = await TestCa.make();
    await ca.write('password', `${PASSWORD}\n`);
    server = await SpawnedTestServer.start(...(await certificate()), '--users', await usersFile(PASSWORD));
  });
  afterEach(() => Promise.all(opened.splice(0).map((store) => store.close())));
  afterAll(async () => {
    await server[Symbol.asyncDispose]();
    await ca[Symbol.asyncDispose]();
  });

  const open = (more: EventStoreDbAccess = {}, address = `service@localhost:${server.port}`): EventStore => {
    refusals = [];
    const store = new EventStoreDbEventStore({
      connectionString: `esdb://${address}`,
      access: { passwordFile: `${ca.folder}/password`, caFile: ca.file, ...more },
      refused: (reason) => refusals.push(reason),
      clock: new SystemClock(),
      randomness,
    });
    opened.push(store);
    return store;
  };
  const works = (store: EventStore): Promise<boolean> =>
    store.append(streamName('thing', randomness.uuid()), NO_STREAM, [{ type: 'Happened', data: {} }]).then(
      () => true,
      () => false,
    );
  /** Why the readiness probe fails, which is also the only line of the log. */
  const refusal = async (store: EventStore): Promise<string> => {
    const { reason } = await store.check().then(
      () => ({ reason: 'it works' }),
      (error: { readonly reason: string }) => error,
    );
    expect(reason).toBe(`EventStoreDB cannot read: ${refusals[0]}`);
    expect(refusals).toHaveLength(1);
    expect(reason).not.toMatch(/secret/);
    return refusals[0]!;
  };

  it('takes the user of the connection string with the password of the file', async () => {
    expect(await works(open())).toBe(true);
  });

  it('is used with the new password when it has changed and the file was replaced', async () => {
    const store = open();
    expect(await works(store)).toBe(true);
    await server.terminate();
    await usersFile('second secret');
    await server.restart();
    await ca.write('password', 'second secret\n');
    await eventually(() => works(store), { what: 'appends take the new password', within: 20_000 });
    await server.terminate();
    await usersFile(PASSWORD);
    await ca.write('password', PASSWORD);
    await server.restart();
    await eventually(
      () =>
        store.check().then(
          () => true,
          () => false,
        ),
      { what: 'reads take the first password again', within: 20_000 },
    );
  });

  it('refuses a wrong password: one line, without the password', async () => {
    const passwordFile = await ca.write('wrong', 'wrong secret');
    expect(await refusal(open({ passwordFile }))).toBe(
      'the engine refuses the user, the password or the access: check the user in ESDB_URL, ESDB_PASSWORD_FILE and the rights of the user',
    );
  });

  it('is refused when its certificate is of another CA', async () => {
    await using other = await TestCa.make();
    expect(await refusal(open({ caFile: other.file }))).toBe("the engine's certificate is not of a trusted CA: set ESDB_CA_FILE to its CA");
  });

  it('is refused when its certificate has expired, and used again with a new one', async () => {
    await server.terminate();
    await server.restart(...(await certificate({ expired: true })));
    const store = open();
    expect(await refusal(store)).toBe("the engine's certificate has expired");
    await server.terminate();
    await server.restart(...(await certificate()));
    await eventually(() => works(store), { what: 'the store is used again', within: 20_000 });
  });

  it('is shown the certificate of the service, as the files hold it when the connection is made', async () => {
    const { certFile, keyFile } = await ca.issue('server');
    const [cert, key, trusted] = await Promise.all([certFile, keyFile, ca.file].map((path) => readFile(path)));
    const shown: string[] = [];
    const only = createServer({ cert, key, ca: trusted, requestCert: true, ALPNProtocols: ['h2'] }, (socket) => {
      shown.push(String(socket.getPeerCertificate().subject.CN));
      socket.destroy();
    });
    await once(only.listen(0, '127.0.0.1'), 'listening');
    try {
      const own = await ca.issue('service');
      const files = { passwordFile: undefined, certFile: own.certFile, keyFile: own.keyFile };
      const store = open(files, `localhost:${(only.address() as AddressInfo).port}`);
      await expect(store.check()).rejects.toMatchObject({ code: 'service_unavailable' });
      expect(new Set(shown)).toEqual(new Set(['service']));
    } finally {
      only.close();
    }
  });

  it('takes the retention of one stream from two writers at once, while reads do not show what the first has written yet', async () => {
    const stores = [open(), open()];
    const stream = streamName('thing', randomness.uuid());
    await stores[0]!.append(stream, NO_STREAM, [{ type: 'Happened', data: {} }]);
    await server.set({ readLag: 'always' });
    try {
      await Promise.all(stores.map((store) => store.setRetention(stream, { maxCount: 1 })));
    } finally {
      await server.set({ readLag: 'sometimes' });
    }
    expect(refusals).toEqual([]);
  });

  it('is not opened when a file is missing, by the name of the setting', () => {
    expect(() => open({ passwordFile: '/nowhere/password' })).toThrow('ESDB_PASSWORD_FILE names a file that this user cannot read (ENOENT)');
  });
});

describe('a connection string', () => {
  it('names the files, in place of those that it named before', () => {
    const files = { caFile: '/run/new ca.pem', certFile: '/run/cert.pem', keyFile: '/run/key.pem' };
    expect(withAccess('esdb+discover://user:password@a:2113,b:2113/?tls=true&tlscafile=/old', files)).toBe(
      'esdb+discover://user:password@a:2113,b:2113?tls=true&tlsCAFile=%2Frun%2Fnew%20ca.pem&userCertFile=%2Frun%2Fcert.pem&userKeyFile=%2Frun%2Fkey.pem',
    );
  });

  it('stays as it is without files', () => {
    for (const same of ['esdb://host:2113?tls=false', 'esdb+discover://user:password@a,b?tls=true']) expect(withAccess(same, {})).toBe(same);
  });
});
