import type { SessionRequest } from '../api/session-request.js';
import { checkAuthentication } from './authentication-check.js';
import { toBase64, utf8 } from './bytes.js';

const STATEMENT = {
  sessionId: '7b6d1c1a-0b5e-4a51-9a55-0d8b7a3b9f10',
  clientId: 'c1',
  relyingPartyName: 'Harbour Bank',
  title: 'Log in',
  requested: { attributes: ['name'], predicates: ['ageOver18'] },
  challenge: 'c'.repeat(43),
  expiresAt: 1_800_000_120,
};

const request = (signed: unknown, shown: Partial<SessionRequest> = {}): SessionRequest => ({
  sessionId: STATEMENT.sessionId,
  signatureType: 'AUTHENTICATION',
  relyingPartyName: STATEMENT.relyingPartyName,
  title: STATEMENT.title,
  requested: STATEMENT.requested,
  expiresAt: STATEMENT.expiresAt,
  signatureAlgorithm: 'ES256',
  toBeSigned: toBase64(utf8(typeof signed === 'string' ? signed : JSON.stringify(signed))),
  ...shown,
});

describe('the signed statement of a login', () => {
  it('is exactly the bytes of the shown request', () => {
    expect(checkAuthentication(request(STATEMENT))).toEqual(utf8(JSON.stringify(STATEMENT)));
  });

  it('of a change holds the details that are shown, letter for letter', () => {
    const details = 'redirect_uris: https://shop.example/cb';
    const signed = { ...STATEMENT, details, changeDigest: 'd'.repeat(43) };
    expect(checkAuthentication(request(signed, { details }))).toEqual(utf8(JSON.stringify(signed)));
    expect(checkAuthentication(request(signed, { details: details.replace('shop', 'sh0p') }))).toBeUndefined();
    expect(checkAuthentication(request(signed))).toBeUndefined();
    expect(checkAuthentication(request(STATEMENT, { details }))).toBeUndefined();
    expect(checkAuthentication(request({ ...STATEMENT, changeDigest: 'd'.repeat(43) }))).toBeUndefined();
  });

  it('may be without title and without anything requested', () => {
    const { title: _title, requested: _requested, ...bare } = STATEMENT;
    const { title: _shownTitle, requested: _shownRequested, ...shown } = request(bare);
    expect(checkAuthentication(shown)).toBeDefined();
    expect(checkAuthentication(request(bare))).toBeUndefined();
    expect(checkAuthentication({ ...shown, toBeSigned: request(STATEMENT).toBeSigned })).toBeUndefined();
  });

  it.each([
    ['another session', { sessionId: 'x' }],
    ['another name', { relyingPartyName: 'Harbour  Bank' }],
    ['another title', { title: 'Pay' }],
    ['more attributes', { requested: { attributes: ['name', 'email'], predicates: ['ageOver18'] } }],
    ['other predicates', { requested: { attributes: ['name'], predicates: ['ageOver21'] } }],
    ['another time', { expiresAt: STATEMENT.expiresAt + 1 }],
    ['no challenge', { challenge: '' }],
    ['a client that is none', { clientId: 7 }],
    ['a member that is not shown', { transfer: '1000 EUR' }],
  ])('is refused when it says %s', (_, change) => {
    expect(checkAuthentication(request({ ...STATEMENT, ...change }))).toBeUndefined();
  });

  it.each([
    ['no JSON', 'x'],
    ['a list', '[]'],
    ['null', 'null'],
  ])('is refused when it is %s', (_, text) => {
    expect(checkAuthentication(request(text))).toBeUndefined();
  });

  it('is refused when it is no base64, or for another algorithm', () => {
    expect(checkAuthentication(request(STATEMENT, { toBeSigned: '%%%' }))).toBeUndefined();
    expect(checkAuthentication(request(STATEMENT, { signatureAlgorithm: 'RS512' }))).toBeUndefined();
  });
});
