import { describe, it } from '@jest/globals';

import { at, clientId, completed, confirmed, created, given, redeem, redeemed, scanned, terms } from '#testkit/session/domain/session-examples';

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
