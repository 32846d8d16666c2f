import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { NO_STREAM, streamName } from '#event-store';
import { JobQueueUnavailable, SqliteJobQueue } from '#job-queue';
import type { SessionId } from '#kernel';
import { eventually } from '#kernel/testing';
import { testPlatform } from '#platform/testing';

import { createSessionApiApp } from '../src/app.js';
import { startExpiryTimer } from '../src/start-expiry-timer.js';
import { sessionApiFixture } from './session-api.fixture.js';

const DAY = 86_400_000;

describe('given sessions that no request touches', () => {
  let api: Awaited<ReturnType<typeof sessionApiFixture>>;

  beforeEach(async () => {
    api = await sessionApiFixture();
  });
  afterEach(() => api.close());

  /** Waits until the stream ends with this event. It reads the store itself, since a request would end the session. */
  const ends = (sessionId: string, type: string): Promise<void> => eventually(async () => (await api.events(sessionId)).at(-1) === type);
  const deleted = (sessionId: string): Promise<void> => eventually(async () => (await api.events(sessionId)).length === 0);
  /** Waits until the queue holds that many jobs and works on none: it has nothing left to do at the present time. */
  const settled = (count: number, queue = 'session-expiry'): Promise<void> =>
    eventually(async () => {
      const { scheduled, running } = await api.platform.jobQueue.counts(queue);
      return scheduled === count && running === 0;
    });

  it('records their end at their deadline, and not a millisecond earlier', async () => {
    const { clock, eventStore } = api.platform;
    const earlier = await api.create();
    clock.advance(1);
    const sessionId = await api.create();
    const deadline = clock.now() + 120_000;
    await settled(2);
    clock.advance(119_999);
    await ends(earlier, 'SessionExpired'); // so the timer has run at this time
    await settled(1);
    expect(await api.events(sessionId)).toEqual(['SessionCreated']);
    clock.advance(5_000);
    await ends(sessionId, 'SessionExpired');
    expect((await eventStore.read(streamName('session', sessionId))).at(-1)?.data).toEqual({ at: deadline });
  });

  it('ends scanned sessions too, but not those that were confirmed, completed or withdrawn', async () => {
    const [scanned, confirmed, withdrawn] = [await api.create(), await api.create(), await api.create()];
    const { sessionId: completed } = await api.login();
    await api.scan(scanned);
    await api.confirm(confirmed);
    await api.call('DELETE', `/session/${withdrawn}`);
    await settled(4);
    api.platform.clock.advance(120_000);
    await ends(scanned, 'SessionExpired');
    await settled(0);
    expect((await api.events(confirmed)).at(-1)).toBe('SessionConfirmed');
    expect((await api.events(completed)).at(-1)).toBe('SessionCompleted');
    expect((await api.events(withdrawn)).at(-1)).toBe('SessionCancelled');
  });

  it('cancels a signature whose container is not built in time, even before the deadline of the session', async () => {
    const { clock, randomness } = api.platform;
    const sessionId = randomness.uuid<SessionId>();
    const at = clock.now();
    const sealed = api.seal(sessionId, {});
    const terms = { clientId: api.client.clientId, signatureType: 'SIGNING', pushStatus: 'NOT_REQUESTED', sealed } as const;
    await api.append(sessionId, { type: 'SessionCreated', data: { ...terms, at, expiresAt: at + 300_000 } });
    await api.scan(sessionId);
    await api.append(sessionId, { type: 'SessionConfirmed', data: { signature: '', buildExpiresAt: at + 60_000, at } });
    await settled(2);
    clock.advance(60_000);
    await ends(sessionId, 'SessionCancelled');
    const [end] = await api.platform.eventStore.read(streamName('session', sessionId), { direction: 'backwards', limit: 1 });
    expect(end?.data).toEqual({ reason: 'SIGNING_FAILED', at: at + 60_000 });
  });

  it('deletes them thirty days after their end', async () => {
    const { clock } = api.platform;
    const earlier = await api.create();
    clock.advance(1);
    const sessionId = await api.create();
    await settled(2);
    clock.advance(120_000);
    await ends(earlier, 'SessionExpired');
    await ends(sessionId, 'SessionExpired');
    clock.advance(30 * DAY - 1);
    await deleted(earlier); // so the retention has run at this time
    await settled(1, 'session-retention');
    expect(await api.events(sessionId)).toHaveLength(2);
    const younger = await api.create();
    clock.advance(1);
    await deleted(sessionId);
    clock.advance(120_000);
    await ends(younger, 'SessionExpired');
    expect(await api.events(younger)).toHaveLength(2);
  });

  it('ends 5 000 sessions', async () => {
    const { clock, eventStore, randomness } = api.platform;
    const at = clock.now();
    const ids = Array.from({ length: 5_000 }, () => randomness.uuid<SessionId>());
    const sealed = api.seal('many', {});
    const data = { clientId: api.client.clientId, signatureType: 'AUTHENTICATION', pushStatus: 'NOT_REQUESTED', sealed, at, expiresAt: at + 120_000 };
    await Promise.all(
      ids.map((id) => {
        const stream = streamName('session', id);
        return eventStore.append(stream, NO_STREAM, [{ type: 'SessionCreated', data }]);
      }),
    );
    await settled(5_000);
    clock.advance(120_000);
    await settled(0);
    await eventually(async () => (await api.events(ids.at(-1) ?? '')).length === 2);
    const lengths = await Promise.all(ids.map(async (id) => (await api.events(id)).length));
    expect(new Set(lengths)).toEqual(new Set([2]));
  }, 30_000);
});

describe('given a queue that has lost its jobs', () => {
  it('ends the sessions, those open before the start and those lost later', async () => {
    const api = await sessionApiFixture();
    const { clock, eventStore, log, metrics } = api.platform;
    const sessionId = await api.create();
    await eventually(async () => (await api.platform.jobQueue.counts('session-expiry')).scheduled === 1);
    const another = new SqliteJobQueue({ path: ':memory:', clock, log, metrics });
    const stopping = new AbortController();
    await startExpiryTimer({ ...api.platform, jobQueue: another, stopping: stopping.signal, messageBus: (await testPlatform()).messageBus }, 50);
    api.platform.stop();
    clock.advance(120_000);
    await eventually(async () => (await api.events(sessionId)).at(-1) === 'SessionExpired');
    expect(await another.counts('session-expiry')).toMatchObject({ failed: 0 });
    await eventStore.check();
    stopping.abort();
    await another.close();
    await api.close();
  });
});

describe('given an unavailable queue', () => {
  it('serves requests', async () => {
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
