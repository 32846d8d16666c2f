import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import type { HttpApp } from '#service/http';
import type { SessionId } from '#kernel';
import { eventually } from '#testkit/kernel/eventually';
import { type SessionFixture, sessionFixture } from '#testkit/platform/session-fixture';
import { MemoryStatusCache } from '#testkit/session/status/memory-status-cache';

import { createTimersApp } from '../src/app.js';

/** The fixture appends as a process does that ends before it has written the status. */
describe('a process that ends between its append and its write', () => {
  let cache: MemoryStatusCache;
  let world: SessionFixture;
  let app: HttpApp;

  beforeEach(async () => {
    cache = new MemoryStatusCache();
    world = await sessionFixture({ statusCache: cache });
    app = await createTimersApp(world.platform);
  });
  afterEach(async () => {
    world.platform.stop();
    await app.close();
    await world.platform.close();
    await cache.close();
  });

  const begin = (happenedAt = world.platform.clock.now()): Promise<SessionId> => world.begin(world.client.clientId, { at: happenedAt });
  const shows = (sessionId: SessionId, status: string): Promise<void> =>
    eventually(async () => (await cache.get(sessionId))?.status === status, { what: `the cache shows ${status}` });

  it('leaves a status to the consumer, which writes it and wakes the waiting call', async () => {
    const sessionId = await begin();
    await shows(sessionId, 'PENDING');
    const watch = await cache.watch(sessionId);
    const woken = watch.next(20_000, world.platform.stopping);
    await world.scan(sessionId);
    expect(await woken).toBe(true);
    await shows(sessionId, 'SCANNED');
    watch.close();
  });

  it('leaves an old status to the next reader when no request waits for it', async () => {
    const old = await begin(world.platform.clock.now() - 61_000);
    await shows(await begin(), 'PENDING');
    expect(await cache.get(old)).toBeUndefined();
  });

  it('leaves a status that the consumer writes once the cache is available again', async () => {
    cache.isAvailable = false;
    const sessionId = await begin();
    cache.isAvailable = true;
    await shows(sessionId, 'PENDING');
  });

  it('costs the consumer no write of a status that is there', async () => {
    const sessionId = await begin();
    await shows(sessionId, 'PENDING');
    const { puts } = cache.counts;
    await world.append(sessionId, { type: 'HandoffClaimed', data: { at: world.platform.clock.now() } });
    await shows(await begin(), 'PENDING');
    await eventually(async () => (await cache.get(sessionId))?.revision === 1);
    expect(cache.counts.puts - puts).toBe(2);
  });
});
