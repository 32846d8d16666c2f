import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';

import { afterEach, describe, expect, it } from '@jest/globals';

import { eventually } from '#testkit/kernel/eventually';

import { passed } from '#testkit/rate-limit/rate-limits.contract';
import { RedisRateLimits } from './redis-rate-limits.js';

const limit = { name: 'tries', times: 3, seconds: 60 };
const NO_RIGHTS = "-NOPERM this user has no permissions to run the 'evalsha' command";
const WRONG_PASSWORD = '-WRONGPASS invalid username-password pair or user is disabled.';
const INFO = 'redis_version:7.0.15\r\nloading:0\r\n';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** A server that speaks as much of Redis's protocol as a connection needs, and refuses scripts, or all commands. Answers its address. */
const refusingRedis = async ({ scripts, everything }: { scripts?: string; everything?: string }): Promise<string> => {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('data', (data) => {
      // Each command is a list whose first element is its name.
      for (const [, name = ''] of data.toString('latin1').matchAll(/\*\d+\r\n\$\d+\r\n(\w+)\r\n/g)) {
        const isScript = /^eval/i.test(name);
        const answer = /^info$/i.test(name) ? `$${INFO.length}\r\n${INFO}` : '+OK';
        socket.write(`${everything ?? (isScript ? scripts : undefined) ?? answer}\r\n`);
      }
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closing.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return `redis://service:secret@127.0.0.1:${(server.address() as AddressInfo).port}`;
};

describe('rate limits on a Redis that refuses the service', () => {
  it.each([
    ['the counts', { scripts: NO_RIGHTS }, 'the user does not have the rights that this service needs'],
    [
      'the connection',
      { everything: WRONG_PASSWORD },
      'the engine refuses the user or the password: check the user in REDIS_URL and REDIS_PASSWORD_FILE',
    ],
  ])('(%s) count for the replica alone, and tell the reason once', async (_, refusing, reason) => {
    const told: string[] = [];
    const limits = new RedisRateLimits({ url: await refusingRedis(refusing) }, (line) => told.push(line));
    closing.unshift(() => limits.close());
    let keys = 0;
    const counts = async (): Promise<void> => expect(await passed(2 * limit.times, limit, `key-${++keys}`, limits)).toBe(limit.times);
    await eventually(async () => {
      await counts();
      return told.length > 0;
    });
    await counts();
    expect(told).toEqual([reason]);
  });
});
