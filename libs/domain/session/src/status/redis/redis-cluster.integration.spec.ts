import { randomUUID } from 'node:crypto';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';

import { type ClientId, type Clock, type SessionId, SystemClock } from '#kernel';
import { eventually } from '#testkit/kernel/eventually';
import { SilentLog } from '#telemetry';

import { RedisCluster } from '../../../../../../testkit/programs/redis/redis-cluster.ts';
import type { CachedStatus } from '../status-cache.js';
import { statusCacheContract } from '#testkit/session/status/status-cache.contract';
import { RedisStatusCache } from './redis-status-cache.js';
import { channelOf } from './stored-status.js';

const never = new AbortController().signal;

const newId = (): SessionId => randomUUID() as SessionId;

const status = (revision: number): CachedStatus => ({
  revision,
  clientId: randomUUID() as ClientId,
  status: 'PENDING',
  endsAt: Date.now() + 120_000,
  readableUntil: Date.now() + 720_000,
});

(process.env['REDIS_URL'] === undefined ? describe.skip : describe)('the status cache on a Redis Cluster of three nodes', () => {
  let cluster: RedisCluster;
  const opened: RedisStatusCache[] = [];

  beforeAll(async () => {
    cluster = await RedisCluster.start(await mkdtemp(join(tmpdir(), 'redis-cluster-')));
  });
  afterAll(() => cluster.remove());
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((cache) => cache.close()));
  });

  const reads = (cache: RedisStatusCache, sessionId: SessionId): Promise<boolean> =>
    cache.get(sessionId).then(
      () => true,
      () => false,
    );
  const isLive = async (cache: RedisStatusCache, sessionId: SessionId): Promise<boolean> => {
    const watch = await cache.watch(sessionId);
    try {
      return watch.isLive;
    } finally {
      watch.close();
    }
  };
  /** Sessions of which each lies on another node. */
  const oneOnEachNode = async (): Promise<readonly SessionId[]> => {
    const found = new Map<string, SessionId>();
    while (found.size < cluster.nodes.length) {
      const id = newId();
      found.set((await cluster.nodeOf(channelOf(id))).id, id);
    }
    return [...found.values()];
  };
  const open = async (clock: Clock = new SystemClock()): Promise<RedisStatusCache> => {
    const cache = new RedisStatusCache({ ...cluster.access, clock, log: new SilentLog(), history: () => '' });
    opened.push(cache);
    for (const id of await oneOnEachNode())
      await eventually(async () => (await reads(cache, id)) && (await isLive(cache, id)), { what: 'the cache answers and wakes', within: 30_000 });
    return cache;
  };

  statusCacheContract({ open: (clock) => Promise.all([open(clock), open(clock)]) });

  it('reads, writes and wakes on every node', async () => {
    const [one, other] = [await open(), await open()];
    for (const id of await oneOnEachNode()) {
      const watch = await other.watch(id);
      expect(watch.isLive).toBe(true);
      await one.put(id, status(0));
      expect(await watch.next(20_000, never)).toBe(true);
      expect(await other.get(id)).toMatchObject({ revision: 0 });
      watch.close();
    }
  });

  it('asks the other node for a session whose slot is being moved, and begins anew where the slot has moved', async () => {
    const [one, other] = [await open(), await open()];
    const id = newId();
    const move = await cluster.beginMove(channelOf(id));
    await one.put(id, status(0));
    expect(await move.from.admin.keys(`*${id}*`)).toEqual([]);
    expect(await other.get(id)).toMatchObject({ revision: 0 });
    await move.end();
    await eventually(async () => (await other.get(id).catch(() => undefined)) === undefined, { what: 'the new node answers', within: 20_000 });
  });

  it('reads nothing older after a slot has moved, and a waiting call is woken again', async () => {
    const [one, other] = [await open(), await open()];
    const id = newId();
    await one.put(id, status(0));
    const watch = await other.watch(id);
    await cluster.move(channelOf(id));
    // Written under the new node, by the write itself or by its repetition.
    await one.write(id, status(1));
    await eventually(async () => (await one.get(id).catch(() => undefined))?.revision === 1, { what: 'the write has arrived', within: 20_000 });
    expect((await other.get(id).catch(() => undefined))?.revision ?? 1).toBe(1);
    await eventually(() => watch.isLive, { what: 'the watch is live again', within: 20_000 });
    while (await watch.next(0, never)); // wake-ups of the move
    await one.put(id, status(2));
    expect(await watch.next(20_000, never)).toBe(true);
    expect(await other.get(id)).toMatchObject({ revision: 2 });
    watch.close();
  });
});
