import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { NO_STREAM, streamName } from '#engines/event-store';
import type { HttpApp } from '#service/http';
import type { SessionId } from '#kernel';
import { eventually } from '#testkit/kernel/eventually';
import { type SessionFixture, sessionFixture } from '#testkit/platform/session-fixture';

import { createTimersApp } from '../src/app.js';

const DAY = 86_400_000;
const MINUTE = 60_000;

describe('given sessions that no request touches', () => {
  let world: SessionFixture;
  let app: HttpApp;

  beforeEach(async () => {
    world = await sessionFixture();
    app = await createTimersApp(world.platform);
  });
  afterEach(async () => {
    world.platform.stop();
    await app.close();
    await world.platform.close();
  });

  const begin = (signatureType: 'AUTHENTICATION' | 'SIGNING' = 'AUTHENTICATION'): Promise<SessionId> =>
    world.begin(world.client.clientId, { signatureType });
  const last = async (sessionId: SessionId) =>
    (await world.platform.eventStore.read(streamName('session', sessionId), { direction: 'backwards', limit: 1 }))[0];
  const ends = (sessionId: SessionId, type: string): Promise<void> => eventually(async () => (await last(sessionId))?.type === type, { what: type });
  const isDeleted = async (sessionId: SessionId): Promise<boolean> => (await last(sessionId)) === undefined;
  const deleted = (sessionId: SessionId): Promise<void> => eventually(() => isDeleted(sessionId), { what: 'deleted' });

  it('records their end at their deadline', async () => {
    const sessionId = await begin();
    const deadline = world.platform.clock.now() + 2 * MINUTE;
    world.platform.clock.advance(2 * MINUTE + 5_000);
    await ends(sessionId, 'SessionExpired');
    expect((await last(sessionId))?.data).toEqual({ at: deadline });
  });

  it('ends scanned sessions too, but not those that were confirmed, completed or withdrawn', async () => {
    const [scanned, confirmed, completed, withdrawn] = [await begin(), await begin(), await begin(), await begin()];
    const at = world.platform.clock.now();
    await world.scan(scanned);
    await world.confirm(confirmed);
    await world.confirm(completed);
    await world.append(completed, { type: 'SessionCompleted', data: { at } });
    await world.append(withdrawn, { type: 'SessionCancelled', data: { reason: 'WITHDRAWN', at } });
    world.platform.clock.advance(2 * MINUTE);
    await ends(scanned, 'SessionExpired');
    expect(await Promise.all([confirmed, completed, withdrawn].map(async (sessionId) => (await last(sessionId))?.type))).toEqual([
      'SessionConfirmed',
      'SessionCompleted',
      'SessionCancelled',
    ]);
  });

  it('cancels a signature whose container is not built in time, even before the deadline of the session', async () => {
    const sessionId = await begin('SIGNING');
    const at = world.platform.clock.now();
    await world.scan(sessionId);
    await world.append(sessionId, { type: 'SessionConfirmed', data: { signature: '', buildExpiresAt: at + MINUTE, at } });
    world.platform.clock.advance(MINUTE);
    await ends(sessionId, 'SessionCancelled');
    expect((await last(sessionId))?.data).toEqual({ reason: 'SIGNING_FAILED', finding: 'no container was built in time', at: at + MINUTE });
  });

  it('measures a signature without a container as one that is late, and no other session', async () => {
    const [sessionId, login] = [await begin('SIGNING'), await begin()];
    const at = world.platform.clock.now();
    await world.scan(sessionId);
    await world.append(sessionId, { type: 'SessionConfirmed', data: { signature: '', buildExpiresAt: at + MINUTE, at } });
    world.platform.clock.advance(2 * MINUTE);
    await ends(sessionId, 'SessionCancelled');
    await ends(login, 'SessionExpired');
    const shown = () => world.platform.metrics.registry.getSingleMetricAsString('signing_container_delay_seconds');
    await eventually(async () => (await shown()).includes('signing_container_delay_seconds_sum{outcome="late"} 60'));
    expect(await shown()).toContain('signing_container_delay_seconds_bucket{le="10",outcome="late"} 0');
    expect((await shown()).match(/_count.*/g)).toEqual(['_count{outcome="late"} 1']);
  });

  it('finds in the stream a deadline that was given under other settings', async () => {
    const sessionId = await begin('SIGNING');
    const at = world.platform.clock.now();
    await world.scan(sessionId);
    await world.append(sessionId, { type: 'SessionConfirmed', data: { signature: '', buildExpiresAt: at + 10 * MINUTE, at } });
    const marker = await begin();
    world.platform.clock.advance(2 * MINUTE);
    await ends(marker, 'SessionExpired');
    expect((await last(sessionId))?.type).toBe('SessionConfirmed');
    world.platform.clock.advance(8 * MINUTE);
    await ends(sessionId, 'SessionCancelled');
  });

  it('erases the result of a signature a minute after it is over, and then the session', async () => {
    const { clock, eventStore } = world.platform;
    const sessionId = await begin('SIGNING');
    const at = clock.now();
    const result = streamName('result', sessionId);
    await eventStore.append(result, NO_STREAM, [{ type: 'ResultKept', data: { sealed: '', at } }]);
    await world.scan(sessionId);
    await world.append(sessionId, { type: 'SessionConfirmed', data: { signature: '', buildExpiresAt: at + MINUTE, at } });
    await world.append(sessionId, { type: 'SessionCompleted', data: { resultExpiresAt: at + 30 * MINUTE, at } });
    const marker = await begin('SIGNING');
    await world.append(marker, { type: 'SessionCancelled', data: { reason: 'WITHDRAWN', at: at + 30 * MINUTE - 1 } });
    await eventStore.append(streamName('result', marker), NO_STREAM, [{ type: 'StatementPrepared', data: { sealed: '', at } }]);
    const resultIsErased = async (): Promise<boolean> => (await eventStore.read(result)).length === 0;
    clock.advance(31 * MINUTE - 1);
    await eventually(async () => (await eventStore.read(streamName('result', marker))).length === 0, { what: 'the result of the other one' });
    expect(await resultIsErased()).toBe(false);
    clock.advance(1);
    await eventually(resultIsErased, { what: 'the result' });
    expect(await isDeleted(sessionId)).toBe(false);
    clock.advance(30 * DAY);
    await deleted(sessionId);
  });

  it('deletes them when their retention is over, also a login that was confirmed and never completed', async () => {
    const { clock } = world.platform;
    const [expired, confirmed] = [await begin(), await begin()];
    await world.confirm(confirmed);
    clock.advance(2 * MINUTE);
    await ends(expired, 'SessionExpired');
    clock.advance(30 * DAY);
    await deleted(expired);
    expect(await isDeleted(confirmed)).toBe(false);
    clock.advance(8 * MINUTE);
    await deleted(confirmed);
  });

  it('leaves alone a session with an event that only a newer release knows, and ends the others', async () => {
    const [newer, other] = [await begin(), await begin()];
    await world.platform.eventStore.append(streamName('session', newer), 0, [{ type: 'SessionSuspended', data: { at: 1 }, metadata: { v: 3 } }]);
    world.platform.clock.advance(2 * MINUTE);
    await ends(other, 'SessionExpired');
    expect((await last(newer))?.type).toBe('SessionSuspended');
  });
});

it('deletes a session after a day if SESSION_RETENTION says so', async () => {
  const world = await sessionFixture({}, { SESSION_RETENTION: '86400' });
  const app = await createTimersApp(world.platform);
  const { clock, eventStore } = world.platform;
  const sessionId = await world.begin(world.client.clientId);
  await world.append(sessionId, { type: 'SessionCancelled', data: { reason: 'WITHDRAWN', at: clock.now() } });
  clock.advance(DAY);
  await eventually(async () => (await eventStore.read(streamName('session', sessionId))).length === 0, { what: 'deleted' });
  world.platform.stop();
  await app.close();
  await world.platform.close();
});

it('serves /metrics with the number and the lag of due timers, and is ready', async () => {
  const world = await sessionFixture();
  const app = await createTimersApp(world.platform);
  for (const check of world.platform.readiness.values()) await check();
  expect([...world.platform.readiness.keys()]).toEqual(['timers consumer']);
  const text = await world.platform.metrics.registry.metrics();
  for (const name of ['session_timers_total', 'session_timers_due', 'session_timers_lag_seconds']) expect(text).toContain(`# TYPE ${name}`);
  world.platform.stop();
  await app.close();
  await world.platform.close();
});
