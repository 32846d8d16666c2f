import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';

import { NO_STREAM, streamName } from '#event-store';
import { BullmqJobQueue } from '#job-queue';
import { FixedClock, type SessionId, SystemClock } from '#kernel';
import { eventually } from '#kernel/testing';
import { testPlatform } from '#platform/testing';
import { Metrics, SilentLog } from '#telemetry';

import { RedisServer } from '../../../tools/redis/redis-server.ts';
import { startExpiryTimer } from '../src/start-expiry-timer.js';

const SESSIONS = 5_000;
const RECONCILE_EVERY = 1_000;

/** It flushes its Redis, so it starts one of its own. */
(process.env['REDIS_URL'] === undefined ? describe.skip : describe)('given the expiry timer on Redis', () => {
  let server: RedisServer;

  beforeAll(async () => {
    server = await RedisServer.open({ directory: await mkdtemp(join(tmpdir(), 'redis-')) });
    await server.start();
  });
  afterAll(() => server.remove());

  it('ends 5 000 sessions once each although Redis is flushed twice, before they are due and while they end', async () => {
    const redis = new Redis(server.url);
    // Jobs in Redis become due by the system's time, so this clock begins there.
    const clock = new FixedClock(new SystemClock().now());
    const jobQueue = await BullmqJobQueue.open({ url: server.url, clock, log: new SilentLog(), metrics: new Metrics() });
    const platform = await testPlatform({}, { clock, jobQueue });
    const { eventStore, randomness } = platform;
    await startExpiryTimer(platform, RECONCILE_EVERY);

    const at = clock.now();
    const streams = Array.from({ length: SESSIONS }, () => streamName('session', randomness.uuid<SessionId>()));
    const data = {
      clientId: randomness.uuid(),
      signatureType: 'AUTHENTICATION',
      pushStatus: 'NOT_REQUESTED',
      sealed: '',
      at,
      expiresAt: at + 120_000,
    };
    await Promise.all(streams.map((stream) => eventStore.append(stream, NO_STREAM, [{ type: 'SessionCreated', data }])));
    await eventually(async () => (await jobQueue.counts('session-expiry')).scheduled === SESSIONS);

    await redis.flushall();
    clock.advance(60_000);
    await eventually(async () => (await jobQueue.counts('session-expiry')).scheduled === SESSIONS);
    expect((await eventStore.read(streams[0]!)).map(({ type }) => type)).toEqual(['SessionCreated']);

    clock.advance(60_000);
    await eventually(async () => (await eventStore.read(streams[0]!)).length === 2);
    await redis.flushall();
    await eventually(async () => (await Promise.all(streams.map((stream) => eventStore.read(stream)))).every(({ length }) => length === 2), {
      within: 30_000,
    });
    const types = (await Promise.all(streams.map((stream) => eventStore.read(stream)))).map((events) => events.map(({ type }) => type).join());
    expect(new Set(types)).toEqual(new Set(['SessionCreated,SessionExpired']));
    expect(await jobQueue.counts('session-expiry')).toMatchObject({ failed: 0 });

    platform.stop();
    await platform.close();
    await jobQueue.close();
    redis.disconnect();
  });
});
