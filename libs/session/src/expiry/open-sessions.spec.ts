import { type RecordedEvent, streamName } from '#event-store';
import type { EventId, JsonObject } from '#kernel';

import type { SessionEvent } from '../domain/session.events.js';
import { OpenSessions } from './open-sessions.js';

const EXPIRES_AT = 120_000;

const event = (position: number, session: string, type: string, data: JsonObject = {}): RecordedEvent<SessionEvent> =>
  ({
    id: String(position) as EventId,
    stream: streamName('session', session),
    revision: 0,
    position: BigInt(position),
    type,
    data,
  }) as RecordedEvent<SessionEvent>;
const created = (position: number, session: string, expiresAt = EXPIRES_AT): RecordedEvent<SessionEvent> =>
  event(position, session, 'SessionCreated', { expiresAt });

const after = (...events: readonly RecordedEvent<SessionEvent>[]): OpenSessions => {
  const open = new OpenSessions(10n);
  for (const one of events) open.apply(one);
  return open;
};

describe('open sessions', () => {
  it('are due at their deadline', () => {
    const open = after(created(11, 'a'), created(12, 'b', EXPIRES_AT + 1));
    expect(open.dueBy(EXPIRES_AT - 1)).toEqual([]);
    expect(open.dueBy(EXPIRES_AT)).toEqual([{ sessionId: 'a', deadline: EXPIRES_AT }]);
    expect(open.dueBy(EXPIRES_AT + 1)).toHaveLength(2);
  });

  it('get another deadline when a signature is approved', () => {
    const open = after(created(11, 'a'), event(12, 'a', 'SessionScanned'), event(13, 'a', 'SessionConfirmed', { buildExpiresAt: 70_000 }));
    expect(open.dueBy(70_000)).toEqual([{ sessionId: 'a', deadline: 70_000 }]);
  });

  it.each(['SessionConfirmed', 'SessionCompleted', 'SessionCancelled', 'SessionExpired'])('are closed by %s', (type) => {
    expect(after(created(11, 'a'), event(12, 'a', type)).dueBy(EXPIRES_AT)).toEqual([]);
  });

  it('are all found by an instance that begins before the oldest of them', () => {
    expect(after().since).toBe(10n);
    expect(after(created(11, 'a'), created(12, 'b')).since).toBe(10n);
    expect(after(created(11, 'a'), created(12, 'b'), event(13, 'a', 'SessionCancelled')).since).toBe(11n);
    expect(after(created(11, 'a'), event(13, 'a', 'SessionCancelled')).since).toBe(13n);
  });
});
