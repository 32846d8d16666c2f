import { describe, it } from '@jest/globals';

import type { SessionEvent } from './session.events.js';
import {
  at,
  claimed,
  complete,
  completed,
  confirmed,
  created,
  declined,
  given,
  hosted,
  redeem,
  redeemed,
  scanned,
} from '#testkit/session/domain/session-examples';

const allowed: SessionEvent = { ...hosted, data: { ...hosted.data, finishByNumber: true } } as SessionEvent;
const signing: SessionEvent = { ...allowed, data: { ...allowed.data, signatureType: 'SIGNING' } } as SessionEvent;
const byLink: SessionEvent = { ...scanned, data: { ...scanned.data, via: 'link' } } as SessionEvent;
const byPush: SessionEvent = { ...scanned, data: { ...scanned.data, via: 'push' } } as SessionEvent;
const finished: SessionEvent = { type: 'SessionCompleted', data: { finishedBy: 'number', at } };
const refused: SessionEvent = { type: 'NumberRefused', data: { at } };
const right = { type: 'FinishByNumber', right: true, now: at } as const;
const wrong = { ...right, right: false };
const tries = [right, wrong];
const CONFIRMED = [allowed, claimed, byLink, confirmed] as const;

describe('given a confirmed login that was opened by a link', () => {
  it('finishes it by the right number', () =>
    given(...CONFIRMED)
      .when(right)
      .then(finished));
  it('records a wrong number', () =>
    given(...CONFIRMED)
      .when(wrong)
      .then(refused));
  it('takes a number for less than 60 seconds, and stores nothing afterwards', () => {
    given(...CONFIRMED)
      .when({ ...right, now: at + 59_999 })
      .then({ ...finished, data: { finishedBy: 'number', at: at + 59_999 } } as SessionEvent);
    for (const late of tries)
      given(...CONFIRMED)
        .when({ ...late, now: at + 60_000 })
        .refuses('return_token_required', 'not to be finished by a number, or not any more');
  });
  it('is still completed by the return token, or by the client, without a number', () => {
    given(...CONFIRMED)
      .when({ ...complete, returned: true })
      .then(completed);
    given(...CONFIRMED)
      .when(complete)
      .then(completed);
  });
});

describe('given a wrong number', () => {
  const login = given(...CONFIRMED, refused);
  it('takes no second number', () => {
    for (const again of tries) login.when(again).refuses('return_token_required', 'a wrong number was typed before');
  });
  it('lets no browser complete the login, with or without the return token', () => {
    for (const returned of [true, false]) login.when({ ...complete, returned }).refuses('return_token_required', 'a wrong number was typed');
  });
  it('lets the client complete it, whose code is dead', () => {
    login.when(complete).then(completed);
    given(...CONFIRMED, refused, completed)
      .when(redeem)
      .refuses('invalid_grant', 'a wrong number was typed');
  });
});

describe('a number', () => {
  it.each([
    ['opened by the code', [allowed, claimed, scanned, confirmed]],
    ['pushed', [allowed, claimed, byPush, confirmed]],
    ['of a client that does not allow it', [hosted, claimed, byLink, confirmed]],
    ['stored before numbers were', [hosted, claimed, byLink, confirmed]],
    ['without hosted page', [created, byLink, confirmed]],
  ] as [string, SessionEvent[]][])('does not finish a login %s', (_, events) => {
    for (const each of tries)
      given(...events)
        .when(each)
        .refuses('return_token_required', 'not to be finished by a number, or not any more');
  });

  it('does not finish a signature', () => {
    const signed: SessionEvent = { type: 'SessionCompleted', data: { resultExpiresAt: at + 1, at } };
    given(signing, claimed, byLink, { type: 'SessionConfirmed', data: { buildExpiresAt: at + 60_000, at } }, signed)
      .when(right)
      .refuses('return_token_required', 'not to be finished by a number, or not any more');
  });

  it('is refused for its status first, and as a completion is', () => {
    for (const each of tries) {
      given().when(each).refuses('session_not_found', 'unknown session');
      given(allowed, claimed).when(each).refuses('session_not_confirmed', 'session is PENDING');
      given(allowed, claimed, byLink).when(each).refuses('session_not_confirmed', 'session is SCANNED');
      given(allowed, claimed, byLink, declined).when(each).refuses('session_not_confirmed', 'session is CANCELLED');
      given(...CONFIRMED, finished)
        .when(each)
        .refuses('session_already_completed', 'completed before');
      given(...CONFIRMED, refused, completed)
        .when(each)
        .refuses('session_already_completed', 'completed before');
    }
  });
});

describe('given a login that a number has finished', () => {
  it('redeems its code, and completes it no second time', () => {
    given(...CONFIRMED, finished)
      .when(redeem)
      .then(redeemed);
    given(...CONFIRMED, finished)
      .when({ ...complete, returned: true })
      .refuses('session_already_completed', 'completed before');
  });
});
