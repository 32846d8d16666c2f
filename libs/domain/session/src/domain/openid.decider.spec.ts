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

  it('is none of the native token endpoint, and the other way round', () => {
    given(begunWith({}), ...finished)
      .when(redeem)
      .refuses('invalid_grant', 'of the other token endpoint');
    given(created, ...finished)
      .when({ ...redeem, openid })
      .refuses('invalid_grant', 'of the other token endpoint');
  });
});
