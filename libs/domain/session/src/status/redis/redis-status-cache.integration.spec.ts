import { randomUUID } from 'node:crypto';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';

import { type ClientId, type Clock, type SessionId, SystemClock } from '#kernel';
import { eventually } from '#testkit/kernel/eventually';
import { SilentLog } from '#telemetry';

import { RedisServer } from '../../../../../../testkit/programs/redis/redis-server.ts';
import { type CachedStatus, StatusCacheUnavailable } from '../status-cache.js';
import { statusCacheContract } from '#testkit/session/status/status-cache.contract';
import { RedisStatusCache } from './redis-status-cache.js';
import { commandCalls } from '#testkit/session/status/command-calls';

const given = process.env['REDIS_URL'];
const log = new SilentLog();
const never = new AbortController().signal;

const connected = async (url: string, clock: Clock = new SystemClock(), history = (): string | undefined => ''): Promise<RedisStatusCache> => {
  const cache = new RedisStatusCache({ url, clock, log, history });
  await eventually(() => answers(cache), { what: 'the cache answers', within: 20_000 });
  return cache;
};
const answers = (cache: RedisStatusCache): Promise<boolean> =>
  cache.get(randomUUID() as SessionId).then(
    () => true,
    () => false,
  );
const status = (revision: number, more: Partial<CachedStatus> = {}): CachedStatus => ({
  revision,
  clientId: randomUUID() as ClientId,
  status: 'PENDING',
  endsAt: Date.now() + 120_000,
  readableUntil: Date.now() + 720_000,
  ...more,
});

(given === undefined ? describe.skip : describe)('the status cache on Redis', () => {
  statusCacheContract({ open: (clock) => Promise.all([connected(given!, clock), connected(given!, clock)]) });
});

/** These tests count, kill and freeze: they start a Redis of their own. */
(given === undefined ? describe.skip : describe)('the status cache on a Redis of its own', () => {
  let server: RedisServer;
  let admin: Redis;
  let sessionId: SessionId;
  const opened: RedisStatusCache[] = [];
  const open = async (): Promise<RedisStatusCache> => {
    const cache = await connected(server.url);
    opened.push(cache);
    return cache;
  };

  beforeEach(async () => {
    server = await RedisServer.open({ directory: await mkdtemp(join(tmpdir(), 'redis-')) });
    await server.start();
    admin = new Redis(server.url, { retryStrategy: () => 50 });
    admin.on('error', () => undefined);
    sessionId = randomUUID() as SessionId;
  });
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((cache) => cache.close()));
    admin.disconnect();
    await server.remove();
  });

  const commands = (work: () => Promise<unknown>) => commandCalls(admin, work);

  it('reads a status with one command, and writes it with one, which also wakes waiting calls', async () => {
    const cache = await open();
    await cache.put(sessionId, status(0)); // the script is loaded
    expect(await commands(() => cache.get(sessionId))).toEqual({ get: 1 });
    expect(await commands(() => cache.put(sessionId, status(1)))).toEqual({ evalsha: 1, get: 1, set: 1, spublish: 1 });
    expect(await commands(() => cache.put(sessionId, status(1)))).toEqual({ evalsha: 1, get: 1 });
  });

  it('subscribes once for all watches of a session in a process, and waits without a command', async () => {
    const cache = await open();
    let watches: Awaited<ReturnType<typeof cache.watch>>[] = [];
    expect(await commands(async () => (watches = await Promise.all([1, 2, 3].map(() => cache.watch(sessionId)))))).toEqual({ ssubscribe: 1 });
    expect(await commands(() => Promise.all(watches.map((watch) => watch.next(1_500, never))))).toEqual({});
    const closed = async (): Promise<void> => {
      for (const watch of watches) watch.close();
      await eventually(async () => ((await admin.call('PUBSUB', 'SHARDCHANNELS')) as string[]).length === 0);
    };
    expect(await commands(closed)).toMatchObject({ sunsubscribe: 1 });
  });

  it('answers no status of another history of the event store, and keeps lower revisions in the next one; none while the history is not known', async () => {
    let history: string | undefined = '';
    const cache = await connected(server.url, new SystemClock(), () => history);
    opened.push(cache);
    await cache.put(sessionId, status(5, { status: 'COMPLETED' }));
    history = randomUUID();
    expect(await cache.get(sessionId)).toBeUndefined();
    await cache.put(sessionId, status(3, { status: 'SCANNED' }));
    expect(await cache.get(sessionId)).toMatchObject({ revision: 3, status: 'SCANNED' });
    history = undefined;
    await expect(cache.get(sessionId)).rejects.toBeInstanceOf(StatusCacheUnavailable);
    await expect(cache.put(sessionId, status(4))).rejects.toBeInstanceOf(StatusCacheUnavailable);
  });

  it('keeps a status until a minute after it is stale, and stores no older one', async () => {
    const cache = await open();
    await cache.put(sessionId, status(0));
    const [key] = await admin.keys(`*${sessionId}*`);
    const left = await admin.pttl(key!);
    expect(left).toBeGreaterThan(170_000);
    expect(left).toBeLessThanOrEqual(180_000);
    const old = randomUUID() as SessionId;
    await cache.put(old, status(0, { endsAt: Date.now() - 61_000 }));
    expect(await admin.keys(`*${old}*`)).toEqual([]);
  });

  it.each(['', 'x', '1', '1 {', '1 null', '1 {"status":"PENDING"}', '-1 {}'])('takes "%s" for no status', async (text) => {
    const cache = await open();
    await cache.put(sessionId, status(0));
    const [key] = await admin.keys(`*${sessionId}*`);
    await admin.set(key!, text);
    expect(await cache.get(sessionId)).toBeUndefined();
  });

  it('does not read the statuses of a killed server, since the last ones may be missing', async () => {
    const cache = await open();
    // The server writes its file before it answers; by default the file may lack the last second.
    await admin.config('SET', 'appendfsync', 'always');
    await cache.put(sessionId, status(0));
    await server.kill();
    await server.start();
    await eventually(() => answers(cache), { within: 20_000 });
    expect((await admin.keys(`*${sessionId}*`)).length).toBe(1);
    expect(await cache.get(sessionId)).toBeUndefined();
  });

  it('wakes every watch, and is live again, after the connection was lost and restored', async () => {
    const [cache, other] = [await open(), await open()];
    const watch = await cache.watch(sessionId);
    await server.kill();
    await eventually(() => !watch.isLive, { what: 'the watch is not live' });
    await expect(cache.get(sessionId)).rejects.toBeInstanceOf(StatusCacheUnavailable);
    await server.start();
    expect(await watch.next(20_000, never)).toBe(true);
    await eventually(() => watch.isLive, { what: 'the watch is live again', within: 20_000 });
    await eventually(() => answers(other), { within: 20_000 });
    await other.put(sessionId, status(7));
    expect(await watch.next(20_000, never)).toBe(true);
  });

  it('answers within a bounded time while Redis hangs, at once from the second call on, and notices by itself while a call waits', async () => {
    const cache = await open();
    const watch = await cache.watch(sessionId);
    const pid = Number(/process_id:(\d+)/.exec(await admin.info('server'))![1]);
    process.kill(pid, 'SIGSTOP');
    try {
      await eventually(() => !watch.isLive, { what: 'the watch is not live', within: 5_000 });
      const began = performance.now();
      await expect(cache.get(sessionId)).rejects.toBeInstanceOf(StatusCacheUnavailable);
      expect(performance.now() - began).toBeLessThan(2_000);
      const calls = await Promise.allSettled(Array.from({ length: 1_000 }, () => cache.get(sessionId)));
      expect(calls.every(({ status: outcome }) => outcome === 'rejected')).toBe(true);
      await cache.write(sessionId, status(3));
    } finally {
      process.kill(pid, 'SIGCONT');
    }
    await eventually(async () => (await cache.get(sessionId).catch(() => undefined))?.revision === 3, {
      what: 'the statuses that Redis did not take are written when it goes on',
      within: 20_000,
    });
  });
});
