import { describe, expect, it } from '@jest/globals';

import type { SessionEvent } from './session.events.js';
import { evolve } from './session.evolve.js';
import {
  alice,
  at,
  claimed,
  completed,
  confirmed,
  created,
  declined,
  EXPIRY,
  expired,
  given,
  hosted,
  phone,
  refused,
  scanned,
  START,
  superseded,
  terms,
} from '#testkit/session/domain/session-examples';

const withKey: SessionEvent = { ...hosted, data: { ...hosted.data, requestDigest: 'digest' } } as SessionEvent;
const begun = { terms, createdAt: START, createdEventId: 'event-0', refused: [] };
const scan = { deviceId: phone, identityId: alice, sealed: 'scan' };
const document: SessionEvent = { ...created, data: { ...created.data, signatureType: 'SIGNING' } } as SessionEvent;

/** Strictly: a state has no member without a value, and nothing that its history does not tell. */
describe('the state of a session', () => {
  it('of a creation holds its terms', () => expect(given(created).state).toStrictEqual({ ...begun, status: 'PENDING' }));

  it.each([
    ['pending', [withKey]],
    ['claimed', [withKey, claimed]],
    ['scanned', [withKey, scanned]],
    ['confirmed', [withKey, scanned, confirmed]],
    ['completed', [withKey, scanned, confirmed, completed]],
    ['cancelled', [withKey, scanned, declined]],
    ['expired', [withKey, expired]],
  ] as const)('keeps the digest of the request that created it: %s', (_, events) =>
    expect(given(...events).state).toMatchObject({ requestDigest: 'digest' }),
  );

  it('holds the login of the browser that claimed it, until another login takes its place', () => {
    const { handoffExpiresAt } = hosted.data as { handoffExpiresAt: number };
    const claim = { ...begun, terms: { ...terms, handoffExpiresAt }, status: 'PENDING' };
    expect(given(hosted, claimed).state).toStrictEqual({ ...claim, login: { eventId: 'event-1', superseded: false } });
    expect(given(hosted, claimed, superseded).state).toStrictEqual({ ...claim, login: { eventId: 'event-1', superseded: true } });
  });

  it('of a scan and a confirmation holds what the code is derived from', () => {
    const scanState = { ...scan, eventId: 'event-1' };
    expect(given(created, scanned).state).toStrictEqual({ ...begun, status: 'SCANNED', scan: scanState });
    const grant = { eventId: 'event-2', confirmedAt: at, expiresAt: at + 60_000, signature: 'signature', redeemed: false };
    expect(given(created, scanned, confirmed).state).toStrictEqual({ ...begun, status: 'CONFIRMED', scan: scanState, grant });
  });

  it('remembers a refused number of a confirmed login only', () => {
    const numberRefused: SessionEvent = { type: 'NumberRefused', data: { at } };
    expect(given(created, scanned, confirmed, numberRefused).state).toMatchObject({ grant: { numberRefused: true } });
    for (const history of [[created], [created, scanned], [created, scanned, confirmed, completed], [created, declined]])
      expect(given(...history, numberRefused).state).toStrictEqual(given(...history).state);
  });

  it('holds no signature where the confirmation has none: no phone has made it', () => {
    const login: SessionEvent = { type: 'SessionConfirmed', data: { codeExpiresAt: at + 60_000, at } };
    const grant = { eventId: 'event-2', confirmedAt: at, expiresAt: at + 60_000, redeemed: false };
    expect(given(created, scanned, login).state).toStrictEqual({ ...begun, status: 'CONFIRMED', scan: { ...scan, eventId: 'event-1' }, grant });
  });

  it('of an approved signature holds the time limit of its container', () => {
    const approved: SessionEvent = { type: 'SessionConfirmed', data: { buildExpiresAt: at + 60_000, at } };
    expect(given(document, scanned, approved).state).toMatchObject({ status: 'SCANNED', approval: { expiresAt: at + 60_000 } });
  });

  it('names no scan where it ended without one', () => {
    expect(given(created, expired).state).toStrictEqual({ ...begun, status: 'EXPIRED', endedAt: EXPIRY });
    const withdrawn: SessionEvent = { type: 'SessionCancelled', data: { reason: 'WITHDRAWN', at } };
    expect(given(created, withdrawn).state).toStrictEqual({ ...begun, status: 'CANCELLED', reason: 'WITHDRAWN', endedAt: at });
  });

  it('names the devices whose scan was refused, in their order', () => {
    expect(given(created, refused('one'), refused('two')).state).toStrictEqual({ ...begun, status: 'PENDING', refused: ['one', 'two'] });
  });

  it('of an event that this release does not know is an error of the program: a reader leaves such an event out', () => {
    const unknown = { type: 'SessionReopened', id: 'event-1', data: { at } } as never;
    expect(() => evolve(given(created).state, unknown)).toThrow('SessionReopened');
  });
});
