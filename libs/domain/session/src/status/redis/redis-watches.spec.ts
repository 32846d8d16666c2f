import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Cluster } from 'ioredis';

import { eventually } from '#testkit/kernel/eventually';

import { RedisWatches } from './redis-watches.js';

describe('given a cluster, and a password file that cannot be read when a connection is made', () => {
  let directory: string;
  let server: Server;
  let said: string;
  let client: Cluster;
  let watches: RedisWatches;
  let passwordFile: string;

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'redis-watches-'));
    passwordFile = join(directory, 'password');
    said = '';
    server = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', (data) => {
        said += String(data);
        socket.destroy();
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const node = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    client = new Cluster([], { lazyConnect: true });
    client.slots = Array.from({ length: 16_384 }, () => [node]);
    watches = new RedisWatches({ url: `redis://user@${node}`, passwordFile }, client);
  });
  afterEach(async () => {
    watches.close();
    client.disconnect();
    server.close();
    await rm(directory, { recursive: true });
  });

  it('a watch is not live, the process goes on, and connects when the file can be read', async () => {
    const watch = await watches.watch('session');
    expect(watch.isLive).toBe(false);
    await writeFile(passwordFile, 'the password\n');
    await eventually(() => said.includes('the password'), { what: 'the node is told the password', within: 20_000 });
    watch.close();
  });

  it('a check that finds the file missing does not end the watch', async () => {
    await writeFile(passwordFile, 'the password\n');
    const watch = await watches.watch('session');
    await eventually(() => said !== '', { what: 'the node is met', within: 20_000 });
    await rm(passwordFile);
    said = '';
    // No node of the client is known: each check leaves the old connection and makes a new one.
    await eventually(() => !watch.isLive, { within: 20_000 });
    await writeFile(passwordFile, 'another password\n');
    await eventually(() => said.includes('another password'), { what: 'the node is told the new password', within: 20_000 });
    watch.close();
  });
});
