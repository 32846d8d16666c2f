import { setTimeout as sleep } from 'node:timers/promises';

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { EventIds, NO_STREAM, streamName } from '#event-store';
import { JobQueueUnavailable, SqliteJobQueue } from '#job-queue';
import type { SessionId } from '#kernel';
import { testPlatform } from '#platform/testing';

import { createSessionApiApp } from '../src/app.js';
import { startExpiryTimer } from '../src/expiry-timer/start-expiry-timer.js';
import { sessionApiFixture } from './session-api.fixture.js';

const DAY = 86_400_000;

const until = async (condition: () => Promise<boolean>): Promise<void> => {
  while (!(await condition())) await sleep(10);
};

describe('given sessions that nobody asks about', () => {
  let api: Awaited<ReturnType<typeof sessionApiFixture>>;

  beforeEach(async () => {
    api = await sessionApiFixture();
  });
  afterEach(() => api.close());

  /** Until the stream ends with this event; reads the store alone, so that no reader ends the session. */
  const ends = (sessionId: string, type: string): Promise<void> => until(async () => (await api.events(sessionId)).at(-1) === type);
  /** Until the consumer has scheduled so many sessions. */
  const scheduled = (count: number): Promise<void> => until(async () => (await api.platform.jobQueue.counts('session-expiry')).scheduled === count);

  it('puts it on record that time has ended them, at the time when it did', async () => {
    const sessionId = await api.create();
    const { clock, eventStore } = api.platform;
    const deadline = clock.now() + 120_000;
    await scheduled(1);
    clock.advance(119_999);
    await sleep(250);
    expect(await api.events(sessionId)).toEqual(['SessionCreated']);
    clock.advance(5_000);
    await ends(sessionId, 'SessionExpired');
    expect((await eventStore.read(streamName('session', sessionId))).at(-1)?.data).toEqual({ at: deadline });
  });

  it('ends scanned ones too, and leaves alone those that were confirmed, completed or withdrawn', async () => {
    const [scanned, confirmed, withdrawn] = [await api.create(), await api.create(), await api.create()];
    const { sessionId: completed } = await api.login();
    await api.scan(scanned);
    await api.confirm(confirmed);
    await api.call('DELETE', `/session/${withdrawn}`);
    await scheduled(4);
    api.platform.clock.advance(120_000);
    await ends(scanned, 'SessionExpired');
    await until(async () => (await api.platform.jobQueue.counts('session-expiry')).running === 0);
    await scheduled(0);
    expect((await api.events(confirmed)).at(-1)).toBe('SessionConfirmed');
    expect((await api.events(completed)).at(-1)).toBe('SessionCompleted');
    expect((await api.events(withdrawn)).at(-1)).toBe('SessionCancelled');
  });

  it('cancels a signature whose container was not built in time, also before the session itself would have expired', async () => {
    const { clock, randomness } = api.platform;
    const sessionId = randomness.uuid<SessionId>();
    const at = clock.now();
    const sealed = api.seal(sessionId, {});
    const terms = { clientId: api.client.clientId, signatureType: 'SIGNING', pushStatus: 'NOT_REQUESTED', sealed } as const;
    await api.happens(sessionId, { type: 'SessionCreated', data: { ...terms, at, expiresAt: at + 300_000 } });
    await api.scan(sessionId);
    await api.happens(sessionId, { type: 'SessionConfirmed', data: { signature: '', buildExpiresAt: at + 60_000, at } });
    await scheduled(2);
    clock.advance(60_000);
    await ends(sessionId, 'SessionCancelled');
    const [end] = await api.platform.eventStore.read(streamName('session', sessionId), { direction: 'backwards', limit: 1 });
    expect(end?.data).toEqual({ reason: 'SIGNING_FAILED', at: at + 60_000 });
  });

  it('deletes them thirty days after their end', async () => {
    const { clock } = api.platform;
    const sessionId = await api.create();
    await scheduled(1);
    clock.advance(120_000);
    await ends(sessionId, 'SessionExpired');
    clock.advance(30 * DAY - 1);
    const younger = await api.create();
    await sleep(250);
    expect(await api.events(sessionId)).toHaveLength(2);
    clock.advance(1);
    clock.advance(3_600_000);
    await until(async () => (await api.events(sessionId)).length === 0);
    await ends(younger, 'SessionExpired');
    expect(await api.events(younger)).toHaveLength(2);
  });

  it('ends 5 000 of them', async () => {
    const { clock, eventStore, randomness } = api.platform;
    const at = clock.now();
    const ids = Array.from({ length: 5_000 }, () => randomness.uuid<SessionId>());
    const sealed = api.seal('many', {});
    const data = { clientId: api.client.clientId, signatureType: 'AUTHENTICATION', pushStatus: 'NOT_REQUESTED', sealed, at, expiresAt: at + 120_000 };
    const eventIds = new EventIds(randomness);
    await Promise.all(
      ids.map((id) => {
        const stream = streamName('session', id);
        return eventStore.append(stream, NO_STREAM, [{ id: eventIds.next(stream), type: 'SessionCreated', data }]);
      }),
    );
    await scheduled(5_000);
    clock.advance(120_000);
    await scheduled(0);
    await until(async () => (await api.events(ids.at(-1) ?? '')).length === 2);
    const lengths = await Promise.all(ids.map(async (id) => (await api.events(id)).length));
    expect(new Set(lengths)).toEqual(new Set([2]));
  }, 30_000);
});

describe('given a queue that has lost its jobs', () => {
  it('ends the sessions all the same, those open before the start and those lost later', async () => {
    const api = await sessionApiFixture();
    const { clock, eventStore, log, metrics } = api.platform;
    const sessionId = await api.create();
    await until(async () => (await api.platform.jobQueue.counts('session-expiry')).scheduled === 1);
    const another = new SqliteJobQueue({ path: ':memory:', clock, log, metrics });
    const stopping = new AbortController();
    await startExpiryTimer({ ...api.platform, jobQueue: another, stopping: stopping.signal, messageBus: (await testPlatform()).messageBus }, 50);
    api.platform.stop();
    clock.advance(120_000);
    await until(async () => (await api.events(sessionId)).at(-1) === 'SessionExpired');
    expect(await another.counts('session-expiry')).toMatchObject({ failed: 0 });
    await eventStore.check();
    stopping.abort();
    await another.close();
    await api.close();
  });
});

describe('given a queue that is away', () => {
  it('serves all the same', async () => {
    const platform = await testPlatform();
    await platform.jobQueue.close();
    const app = await createSessionApiApp(platform);
    await expect(platform.jobQueue.check()).rejects.toBeInstanceOf(JobQueueUnavailable);
    expect((await app.inject({ method: 'GET', url: '/relying-party/v1/session/x' })).statusCode).toBe(401);
    expect([...platform.readiness.keys()]).toEqual([]);
    platform.stop();
    await app.close();
    await platform.close();
  });
});
