import { describe, it } from '@jest/globals';

import {
  at,
  clientId,
  completed,
  confirm,
  confirmed,
  created,
  given,
  redeem,
  redeemed,
  scanned,
  terms,
} from '#testkit/session/domain/session-examples';

import type { SessionEvent } from './session.events.js';

const begunWith = (changes: object): SessionEvent => ({ type: 'SessionCreated', data: { ...terms, issuer: true, at, ...changes } }) as SessionEvent;
const openid = { redirectUri: terms.redirectUri };
const finished = [scanned, confirmed, completed] as const;

describe('the code of a login through OpenID Connect', () => {
  it('is redeemed once, for the redirect URI and the code challenge of the request', () => {
    const login = given(begunWith({}), ...finished);
    login.when({ ...redeem, openid }).then(redeemed);
    login.when({ ...redeem, openid: { redirectUri: 'https://rp.example/other' } }).refuses('invalid_grant', 'another redirect URI');
    login.when({ ...redeem, openid: { redirectUri: undefined } }).refuses('invalid_grant', 'another redirect URI');
    login.when({ ...redeem, openid, codeChallenge: 'other' }).refuses('invalid_grant', 'PKCE mismatch');
    login.when({ ...redeem, openid, codeChallenge: undefined }).refuses('invalid_grant', 'PKCE mismatch');
    given(begunWith({}), ...finished, redeemed)
      .when({ ...redeem, openid })
      .refuses('invalid_grant', 'already redeemed');
  });

  it('without a code challenge is redeemed without a verifier, and never with one', () => {
    const login = given(begunWith({ codeChallenge: undefined }), ...finished);
    login.when({ type: 'RedeemCode', clientId, now: at, openid }).then(redeemed);
    login.when({ ...redeem, openid }).refuses('invalid_grant', 'PKCE mismatch');
  });

  it('that needs a proof of a key is not redeemed without one, nor with that of another key, and tells the key', () => {
    const boundTo = (jkt: string): SessionEvent => ({ type: 'CodeRedeemed', data: { at, jkt } });
    const anyKey = given(begunWith({ dpop: {} }), ...finished);
    anyKey.when({ ...redeem, openid }).refuses('invalid_grant', 'no proof of a key');
    anyKey.when({ ...redeem, openid: { ...openid, jkt: 'one' } }).then(boundTo('one'));
    const oneKey = given(begunWith({ dpop: { jkt: 'one' } }), ...finished);
    oneKey.when({ ...redeem, openid }).refuses('invalid_grant', 'no proof of a key');
    oneKey.when({ ...redeem, openid: { ...openid, jkt: 'other' } }).refuses('invalid_grant', 'the proof of another key');
    oneKey.when({ ...redeem, openid: { ...openid, jkt: 'one' } }).then(boundTo('one'));
    given(begunWith({}), ...finished)
      .when({ ...redeem, openid: { ...openid, jkt: 'one' } })
      .then(boundTo('one'));
  });

  it('is none of the native token endpoint, and the other way round', () => {
    given(begunWith({}), ...finished)
      .when(redeem)
      .refuses('invalid_grant', 'of the other token endpoint');
    given(created, ...finished)
      .when({ ...redeem, openid })
      .refuses('invalid_grant', 'of the other token endpoint');
  });
});

describe('a login without a browser', () => {
  const begun = begunWith({ redirectUri: undefined, codeChallenge: undefined, backchannel: true, subjectId: undefined });
  const redemption = { type: 'RedeemCode', clientId, now: at, backchannel: true, openid: { redirectUri: undefined } } as const;

  it('is redeemed once, by the id of its request', () => {
    const login = given(begun, ...finished);
    login.when(redemption).then(redeemed);
    given(begun, ...finished, redeemed)
      .when(redemption)
      .refuses('invalid_grant', 'already redeemed');
  });

  it('has no code, and no code of another login is redeemed as one', () => {
    const asCode = { type: 'RedeemCode', clientId, now: at, openid: { redirectUri: undefined } } as const;
    given(begun, ...finished)
      .when(asCode)
      .refuses('invalid_grant', 'of another grant type');
    given(begunWith({}), ...finished)
      .when(redemption)
      .refuses('invalid_grant', 'of another grant type');
    given(created, ...finished)
      .when(redemption)
      .refuses('invalid_grant', 'of another grant type');
  });

  it('can be redeemed until a minute after the time of its request, however early the person approves', () => {
    given(begun, scanned)
      .when(confirm)
      .then({ type: 'SessionConfirmed', data: { signature: 'signature', codeExpiresAt: terms.expiresAt + 60_000, at } });
  });
});
