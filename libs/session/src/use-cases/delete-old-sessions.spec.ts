import { streamName } from '#event-store';
import type { SessionId } from '#kernel';

import { timedSessionUseCases } from '../session-use-cases.js';
import { type SessionWorld, sessionWorld } from '../testing/session-world.js';

const DAY = 86_400_000;

describe('deleting old sessions', () => {
  let world: SessionWorld;
  const never = new AbortController().signal;

  beforeEach(async () => {
    world = await sessionWorld();
  });
  afterEach(() => world.platform.close());

  const begin = async (): Promise<SessionId> => {
    const sessionId = world.platform.randomness.uuid<SessionId>();
    const at = world.platform.clock.now();
    const terms = { clientId: world.client.clientId, signatureType: 'AUTHENTICATION', pushStatus: 'NOT_REQUESTED', sealed: world.seal(sessionId, {}) } as const;
    await world.happens(sessionId, { type: 'SessionCreated', data: { ...terms, at, expiresAt: at + 120_000 } });
    return sessionId;
  };
  const sweep = (): Promise<number> => timedSessionUseCases(world.platform).deleteOldSessions.execute(never);

  it('keeps a session for thirty days from its end, also when nobody has put that on record', async () => {
    const { clock } = world.platform;
    const created = clock.now();
    const sessionId = await begin();
    expect(await sweep()).toBe(created + 30 * DAY);
    clock.advance(30 * DAY);
    expect(await sweep()).toBe(created + 120_000 + 30 * DAY);
    expect(await world.events(sessionId)).toEqual(['SessionCreated', 'SessionExpired']);
    clock.advance(120_000);
    await sweep();
    expect(await world.events(sessionId)).toEqual([]);
  });

  it('counts a login that was confirmed and never completed as ended ten minutes later', async () => {
    const { clock } = world.platform;
    const sessionId = await begin();
    await world.confirm(sessionId);
    clock.advance(30 * DAY);
    expect(await sweep()).toBe(clock.now() + 600_000);
  });

  it('goes on with the next one where it was, and looks again within the hour when there is none', async () => {
    const { clock, eventStore } = world.platform;
    const [old, older] = [await begin(), await begin()];
    clock.advance(15 * DAY);
    const young = await begin();
    clock.advance(15 * DAY + 120_000);
    expect(await sweep()).toBe(clock.now() + 15 * DAY - 120_000);
    expect([await world.events(old), await world.events(older), await world.events(young)]).toEqual([[], [], ['SessionCreated']]);
    clock.advance(15 * DAY);
    expect(await sweep()).toBe(clock.now() + 3_600_000);
    expect(await world.events(young)).toEqual([]);
    expect(await eventStore.read(streamName('checkpoint', 'session-retention'))).toHaveLength(1);
  });

  it('leaves what it has not looked at to the next time when it is told to stop', async () => {
    const sessionId = await begin();
    world.platform.clock.advance(31 * DAY);
    await timedSessionUseCases(world.platform).deleteOldSessions.execute(AbortSignal.abort());
    expect(await world.events(sessionId)).toEqual(['SessionCreated']);
    await sweep();
    expect(await world.events(sessionId)).toEqual([]);
  });
});
