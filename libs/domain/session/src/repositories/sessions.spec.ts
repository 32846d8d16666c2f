import { beforeEach, describe, expect, it } from '@jest/globals';

import { type EventMetadata, NewerEventStored, streamName } from '#engines/event-store';
import type { SessionId } from '#kernel';

import { useCaseFixture } from '#testkit/session/use-case-fixture';

describe('a session with an event that only a newer release knows', () => {
  let fixture: ReturnType<typeof useCaseFixture>;
  let sessionId: SessionId;

  beforeEach(async () => {
    fixture = useCaseFixture();
    sessionId = await fixture.begin();
  });
  afterEach(() => fixture.eventStore.close());

  const suspend = async (status: string): Promise<void> => {
    const metadata: EventMetadata = { v: 3, clientId: fixture.clientId, signatureType: 'AUTHENTICATION', status };
    await fixture.eventStore.append(streamName('session', sessionId), 0, [{ type: 'SessionSuspended', data: { at: fixture.clock.now() }, metadata }]);
  };

  it('can be read as long as its status is known', async () => {
    await suspend('PENDING');
    expect(await fixture.sessions.find(sessionId)).toMatchObject({ status: 'PENDING' });
  });

  it('is not shown once its status says that it has ended', async () => {
    await suspend('CANCELLED');
    await expect(fixture.sessions.find(sessionId)).rejects.toThrow(NewerEventStored);
    expect((await fixture.sessions.history(sessionId)).events).toHaveLength(1);
  });

  it('is not ended by time, which the event may have stopped', async () => {
    await suspend('PENDING');
    fixture.clock.advance(120_000);
    expect(await fixture.sessions.find(sessionId)).toMatchObject({ status: 'PENDING' });
    await expect(fixture.sessions.settle(sessionId)).rejects.toThrow(NewerEventStored);
    expect(await fixture.history.events(sessionId)).toEqual(['SessionCreated', 'SessionSuspended']);
  });

  it('takes no decision', async () => {
    await suspend('PENDING');
    const cancel = { type: 'CancelSession', by: { clientId: fixture.clientId }, reason: 'WITHDRAWN' } as const;
    await expect(fixture.sessions.handle(sessionId, cancel)).rejects.toThrow(NewerEventStored);
  });
});

describe('a session from memory, without a promise', () => {
  let fixture: ReturnType<typeof useCaseFixture>;
  let sessionId: SessionId;

  beforeEach(async () => {
    fixture = useCaseFixture();
    sessionId = await fixture.begin();
    await fixture.sessions.find(sessionId);
  });
  afterEach(() => fixture.eventStore.close());

  it('is the one that a read finds', async () => {
    expect(fixture.sessions.recent(sessionId)).toEqual(await fixture.sessions.findAt(sessionId));
    expect(fixture.sessions.recent(sessionId)?.session.status).toBe('PENDING');
  });

  it('is left to a read once its deadline has passed, since its end is recorded first', async () => {
    fixture.clock.advance(120_000);
    expect(fixture.sessions.recent(sessionId)).toBeUndefined();
    expect(await fixture.sessions.find(sessionId)).toMatchObject({ status: 'EXPIRED' });
  });

  it('is left to a read after each change', async () => {
    await fixture.sessions.handle(sessionId, { type: 'CancelSession', by: { clientId: fixture.clientId }, reason: 'WITHDRAWN' });
    expect(fixture.sessions.recent(sessionId)?.session.status ?? 'CANCELLED').toBe('CANCELLED');
    expect(await fixture.sessions.find(sessionId)).toMatchObject({ status: 'CANCELLED' });
    expect(fixture.sessions.recent(sessionId)).toMatchObject({ session: { status: 'CANCELLED' } });
  });

  it('is none when it was never read', () => {
    expect(fixture.sessions.recent(fixture.randomness.uuid<SessionId>())).toBeUndefined();
  });
});
