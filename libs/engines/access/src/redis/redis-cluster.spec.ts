import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Cluster } from 'ioredis';

import { eventually } from '#testkit/kernel/eventually';

import { connectRedis } from './redis-access.js';
import { nodeOf } from './redis-cluster.js';

/** The only node of a cluster. It answers as little as a client needs, and tells the password of each connection. */
const answeringNode = async (): Promise<{ readonly server: Server; readonly url: string; readonly passwords: string[] }> => {
  const passwords: string[] = [];
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.on('data', (data) => {
      for (const command of String(data)
        .split(/^\*\d+\r\n/m)
        .slice(1)) {
        const words = command.split('\r\n').filter((_, index) => index % 2 === 1);
        if (words[0] === 'auth') passwords.push(words.at(-1)!);
        socket.write(words[0] === 'cluster' ? `*1\r\n*3\r\n:0\r\n:16383\r\n*2\r\n$9\r\n127.0.0.1\r\n:${port}\r\n` : '+OK\r\n');
      }
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { server, url: `redis://user@127.0.0.1:${port}`, passwords };
};

/** The servers of these tests take what a client says and hang up. */
describe('the client of a Redis Cluster, of ioredis 5.11.1', () => {
  let directory: string;
  let passwordFile: string;
  let servers: readonly Server[];
  /** The commands that each server received. */
  let said: string[];
  const opened: { disconnect(): void }[] = [];

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'redis-cluster-'));
    passwordFile = join(directory, 'password');
    await writeFile(passwordFile, 'first\n');
    said = ['', ''];
    servers = said.map((_, index) =>
      createServer((socket) => {
        socket.on('error', () => undefined);
        socket.once('data', (data) => {
          said[index] += String(data);
          socket.destroy();
        });
      }).listen(0, '127.0.0.1'),
    );
    await Promise.all(servers.map((server) => once(server, 'listening')));
  });
  afterEach(async () => {
    for (const client of opened.splice(0)) client.disconnect();
    for (const server of servers) server.close();
    await rm(directory, { recursive: true });
  });

  const connect = () => {
    const nodes = servers.map((server) => `redis://user@127.0.0.1:${(server.address() as AddressInfo).port}`);
    const client = connectRedis({ url: nodes[0]!, nodes, passwordFile }, { enableOfflineQueue: false });
    client.on('error', () => undefined);
    opened.push(client);
    return client;
  };

  it('logs in to every node that is named, and with a new password as soon as the file holds one', async () => {
    connect();
    await eventually(() => said.every((text) => text.includes('user') && text.includes('first')), { what: 'the first password', within: 20_000 });
    await writeFile(passwordFile, 'second\n');
    await eventually(() => said.some((text) => text.includes('second')), { what: 'the second password', within: 20_000 });
  });

  it('uses a new password to ask for the slots, and in a duplicate, while the old connections are open', async () => {
    const { server, url, passwords } = await answeringNode();
    servers = [...servers, server];
    const client = connectRedis({ url, nodes: [url], passwordFile }, { enableReadyCheck: false }) as Cluster;
    client.on('error', () => undefined);
    opened.push(client);
    await eventually(() => client.status === 'ready', { what: 'the client is ready', within: 20_000 });
    // BullMQ copies the options so, for the connection that waits for jobs. It may live long before a connection of it is lost.
    const duplicate = client.duplicate(undefined, {
      redisOptions: { ...client.options.redisOptions, maxRetriesPerRequest: null },
      lazyConnect: true,
    });
    opened.push(duplicate);
    expect(new Set(passwords)).toEqual(new Set(['first']));

    await writeFile(passwordFile, 'second\n');
    passwords.length = 0;
    client.refreshSlotsCache();
    await eventually(() => passwords.length > 0, { what: 'the client asks for the slots', within: 20_000 });
    await duplicate.connect();
    expect(duplicate.options.redisOptions).toMatchObject({ maxRetriesPerRequest: null, username: 'user' });
    expect(new Set(passwords)).toEqual(new Set(['second']));
  });

  it('knows the node of no key, and refuses commands, until a node has answered with the slots', async () => {
    const client = connect() as Cluster;
    expect(client).toBeInstanceOf(Cluster);
    expect(nodeOf(client, 'key')).toBeUndefined();
    await expect(client.get('key')).rejects.toThrow("Cluster isn't ready");
  });
});
