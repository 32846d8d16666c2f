import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';

import { describe, expect, it } from '@jest/globals';

import { reservePort, reservePorts } from './reserve-port.js';

/** Another process that listens on a port and says so. */
const listener = (port: number) =>
  spawn(process.execPath, ['-e', `require('node:net').createServer().listen(${port}, '127.0.0.1', () => console.log('listening'))`], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {},
  });

describe('a reserved port', () => {
  it('can be listened on by another process, and again by the next one', async () => {
    const port = await reservePort();
    for (let turn = 1; turn <= 2; turn++) {
      const child = listener(port);
      const ended = once(child, 'exit');
      expect(String((await once(child.stdout, 'data'))[0])).toBe('listening\n');
      child.kill('SIGKILL');
      await ended;
    }
  });

  it('is given to no server that asks for any free port', async () => {
    const reserved = new Set(await reservePorts(200));
    expect(reserved.size).toBe(200);
    const servers = Array.from({ length: 400 }, () => createServer().listen(0, '127.0.0.1'));
    await Promise.all(servers.map((server) => once(server, 'listening')));
    const given = servers.map((server) => (server.address() as AddressInfo).port);
    expect(given.filter((port) => reserved.has(port))).toEqual([]);
    await Promise.all(servers.map((server) => new Promise((closed) => server.close(closed))));
  });
});
