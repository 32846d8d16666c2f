import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { FixedClock } from '#testkit/kernel/fixed-clock';
import { EngineCalls, Metrics } from '#telemetry';

import { connectRedis, type RedisClient } from './redis-access.js';

let clock: FixedClock;
let metrics: Metrics;
let server: Server;
let client: RedisClient;

/** A server that answers `bad` with an error and each other command normally. Each answer takes 30 ms by the clock. */
beforeEach(async () => {
  clock = new FixedClock();
  metrics = new Metrics();
  server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.on('data', (data) => {
      for (const command of String(data)
        .split(/^\*\d+\r\n/m)
        .slice(1)) {
        clock.advance(30);
        socket.write(command.includes('bad') ? '-ERR bad\r\n' : '+OK\r\n');
      }
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const calls = new EngineCalls('redis', { clock, metrics });
  const url = `redis://127.0.0.1:${(server.address() as AddressInfo).port}`;
  client = connectRedis({ url, calls }, { enableReadyCheck: false, disableClientInfo: true, lazyConnect: true });
  await client.connect();
});
afterEach(() => {
  client.disconnect();
  server.close();
});

const count = async (call: string, outcome: string): Promise<number> => {
  const text = await metrics.registry.getSingleMetricAsString('engine_call_duration_seconds');
  return Number(new RegExp(`_count\\{engine="redis",call="${call}",outcome="${outcome}"\\} (\\d+)`).exec(text)?.[1] ?? 0);
};

describe('a measured client of Redis', () => {
  it('counts commands, scripts and failures, with the time until their answer', async () => {
    await client.set('a', '1');
    await client.eval('return 1', 0);
    await expect(client.get('bad')).rejects.toThrow('ERR bad');
    expect(await count('command', 'done')).toBe(1);
    expect(await count('script', 'done')).toBe(1);
    expect(await count('command', 'failed')).toBe(1);
    const text = await metrics.registry.getSingleMetricAsString('engine_call_duration_seconds');
    expect(text).toContain('engine_call_duration_seconds_sum{engine="redis",call="script",outcome="done"} 0.03');
  });

  it('counts each command of a pipeline', async () => {
    await client.pipeline().set('a', '1').set('b', '2').get('bad').exec();
    expect(await count('command', 'done')).toBe(2);
    expect(await count('command', 'failed')).toBe(1);
  });

  it('does not count commands that wait, nor those of a duplicate', async () => {
    await client.blpop('queue', 1);
    const duplicate = client.duplicate();
    await duplicate.set('a', '1');
    duplicate.disconnect();
    expect(await count('command', 'done')).toBe(0);
  });

  it('tells the caller every failure', async () => {
    client.disconnect();
    await expect(client.set('a', '1')).rejects.toThrow('Connection is closed');
    expect(await count('command', 'failed')).toBe(1);
  });
});
