import { LIFETIMES } from './lifetimes.js';
import { sessionDecider } from './session.decider.js';
import { endOf, isReadable, linkScanOf, readableUntil, type Session, SESSION_STATUSES, type StartedSession } from './session.js';
import type { SessionEvent } from './session.events.js';
import { timerOf, timerWaits } from './session-timer.js';
import {
  at,
  completed,
  confirmed,
  created,
  declined,
  EXPIRY,
  expired,
  hosted,
  scanned,
  START,
  terms,
} from '#testkit/session/domain/session-examples';

const after = (...events: readonly SessionEvent[]): StartedSession =>
  events.reduce<Session>((session, event) => sessionDecider.evolve(session, { ...event, id: 'id' }), sessionDecider.initial) as StartedSession;

const MINUTE = 60_000;
const signing: SessionEvent = { type: 'SessionCreated', data: { ...terms, signatureType: 'SIGNING', at: START } };
const approved: SessionEvent = { type: 'SessionConfirmed', data: { buildExpiresAt: EXPIRY + 1, at } };
const signed: SessionEvent = { type: 'SessionCompleted', data: { resultExpiresAt: at + 30 * MINUTE, at } };
const failed: SessionEvent = { type: 'SessionCancelled', data: { reason: 'SIGNING_FAILED', at: EXPIRY + 1 } };

describe('the times of a session', () => {
  it.each<readonly [string, readonly SessionEvent[], number, number]>([
    ['pending', [created], EXPIRY, EXPIRY + 10 * MINUTE],
    ['scanned', [created, scanned], EXPIRY, EXPIRY + 10 * MINUTE],
    ['confirmed', [created, scanned, confirmed], at + 10 * MINUTE, at + 10 * MINUTE],
    ['completed', [created, scanned, confirmed, completed], at, at + 10 * MINUTE],
    ['declined', [created, scanned, declined], at, at + 10 * MINUTE],
    ['expired', [created, expired], EXPIRY, EXPIRY + 10 * MINUTE],
    ['an approved signature', [signing, scanned, approved], EXPIRY + 1, EXPIRY + 1 + 10 * MINUTE],
    ['a finished signature', [signing, scanned, approved, signed], at, at + 30 * MINUTE],
  ])('%s: when it ends, and until when it can be read', (_, events, end, until) => {
    const session = after(...events);
    expect([endOf(session), readableUntil(session)]).toEqual([end, until]);
    expect([isReadable(session, until - 1), isReadable(session, until)]).toEqual([true, false]);
  });

  it.each<readonly [string, readonly SessionEvent[], string, number]>([
    ['pending', [created], 'deadline', EXPIRY],
    ['scanned', [created, scanned], 'deadline', EXPIRY],
    ['an approved signature', [signing, scanned, approved], 'deadline', EXPIRY + 1],
    ['confirmed', [created, scanned, confirmed], 'deletion', at + 10 * MINUTE],
    ['declined', [created, scanned, declined], 'deletion', at],
    ['a finished signature', [signing, scanned, approved, signed], 'result', at + 30 * MINUTE],
    ['a failed signature', [signing, scanned, approved, failed], 'result', EXPIRY + 1],
  ])('%s: the next work', (_, events, kind, time) => {
    expect(timerOf(after(...events))).toEqual({ kind, at: time });
  });

  it('wait for a build that is still under way, and for the retention', () => {
    expect(timerWaits(7)).toEqual({ deadline: 0, result: MINUTE, deletion: 7 });
  });

  it('are those of the specification', () => {
    const [hour, day] = [60 * MINUTE, 24 * 60 * MINUTE];
    expect(LIFETIMES).toEqual({
      session: 2 * MINUTE,
      pushSession: 5 * MINUTE,
      code: MINUTE,
      handoff: MINUTE,
      signingBuild: MINUTE,
      result: hour / 2,
      record: 30 * day,
    });
  });

  it('belong to six statuses', () => {
    expect([...SESSION_STATUSES].sort()).toEqual(['CANCELLED', 'COMPLETED', 'CONFIRMED', 'EXPIRED', 'PENDING', 'SCANNED']);
  });
});

describe('a scan by a link', () => {
  const byLink = { ...scanned, data: { ...scanned.data, via: 'link' } } as SessionEvent;
  it('binds a hosted login to the browser that comes back, and no other', () => {
    expect(linkScanOf(after(hosted, byLink))).toMatchObject({ via: 'link' });
    for (const events of [[hosted, scanned], [created, byLink], [hosted]]) expect(linkScanOf(after(...events))).toBeUndefined();
    expect(linkScanOf({ status: 'NONE' })).toBeUndefined();
  });
});

describe('an event that does not fit', () => {
  const applied = (session: Session, event: SessionEvent): Session => sessionDecider.evolve(session, { ...event, id: 'id' });
  const redirect: SessionEvent = { type: 'RedirectIssued', data: { at } };
  const redeemed: SessionEvent = { type: 'CodeRedeemed', data: { at } };
  const superseded: SessionEvent = { type: 'LoginSuperseded', data: { at } };

  it('changes nothing', () => {
    for (const event of [scanned, confirmed, completed, declined, expired, redirect, redeemed, superseded])
      expect(applied({ status: 'NONE' }, event)).toEqual({ status: 'NONE' });
    for (const [events, event] of [
      [[created], confirmed],
      [[created], completed],
      [[created], redirect],
      [[created], superseded],
      [[created, scanned, confirmed], redeemed],
      [[signing, scanned, approved, signed], redeemed],
    ] as const) {
      const session = after(...events);
      expect(applied(session, event)).toBe(session);
    }
  });
});
