import { beforeAll, describe, expect, it } from '@jest/globals';

import {
  type Answer,
  Browser,
  expectError,
  expectOk,
  RelyingParty,
  type Service,
  sharedService,
  startsProcesses,
  UNKNOWN_SESSION,
} from '../support/index.js';

const SCHEME = process.env['APP_SCHEME'] ?? 'countersign';

/** The phones held by the sandbox take the literal string of a QR code; they act over the real `/app/v1`. */
const sandboxed = startsProcesses ? describe : describe.skip;

let service: Service;
let shop: RelyingParty;

beforeAll(async () => {
  service = await sharedService();
  shop = await RelyingParty.register(service, { allowed_predicates: ['ageOver18'] });
});

const newPhone = async (persona: string): Promise<string> => {
  const answer = await service.send({ method: 'POST', path: '/sandbox/v1/phones', json: { persona } });
  expect(answer.status).toBe(201);
  return answer.json!['phoneId'] as string;
};

const scan = (phoneId: string, qr: unknown): Promise<Answer> =>
  service.send({ method: 'POST', path: `/sandbox/v1/phones/${phoneId}/scan`, json: { qr } });

const payload = (sessionId: string, returnUrl: string): string =>
  `${SCHEME}://app/scan?sessionId=${encodeURIComponent(sessionId)}&returnUrl=${encodeURIComponent(returnUrl)}`;

sandboxed('{app_scheme}://app/scan?sessionId=<session_id>&returnUrl=<url-encoded return address>', () => {
  it("built by a relying party's own page, leads to a subjectId", async () => {
    const login = await shop.login();
    expectOk(await scan(await newPhone('ok'), payload(login.sessionId, `${shop.redirectUri}?resume=1&x=a b`)));
    expectOk(await shop.token(await shop.redeemableCode(login), login.verifier));
  });

  it('of the hosted page returns to {login_url}/#r, since the cookie identifies the login', async () => {
    const browser = new Browser(service);
    const login = await shop.login({ hosted_page: true });
    await browser.claim(login.handoffToken);
    expectOk(await scan(await newPhone('ok'), payload(login.sessionId, `${service.loginUrl}/#r`)));
    expectOk(await browser.complete(login.sessionId));
  });

  it.each([
    ['another scheme', (id: string) => payload(id, shop.redirectUri).replace(SCHEME, 'https')],
    ['another path', (id: string) => payload(id, shop.redirectUri).replace('/scan', '/open')],
    ['no sessionId', () => `${SCHEME}://app/scan?returnUrl=x`],
    ['a sessionId that is none', () => payload('x', shop.redirectUri)],
    ['no URI', () => 'hello'],
    ['empty', () => ''],
    ['no text', () => 7],
  ])('is refused by the phone when it is %s; the session stays PENDING', async (_, qr) => {
    const login = await shop.login();
    const answer = await scan(await newPhone('ok'), qr(login.sessionId));
    expect([400, 404]).toContain(answer.status);
    expect(await shop.statusOf(login)).toBe('PENDING');
  });

  it('of an unknown session is session_not_found', async () => {
    expectError(await scan(await newPhone('ok'), payload(UNKNOWN_SESSION, shop.redirectUri)), 404, 'session_not_found');
  });
});

sandboxed('the scripted phones', () => {
  it.each([
    ['decline', 'CANCELLED'],
    ['leave', 'CANCELLED'],
    ['wrong-pin', 'CANCELLED'],
    ['ok', 'CONFIRMED'],
  ])('%s ends in %s', async (persona, status) => {
    const login = await shop.login();
    await scan(await newPhone(persona), payload(login.sessionId, shop.redirectUri));
    expect(await shop.statusOf(login, status)).toBe(status);
  });

  it.each([
    ['minor', false],
    ['no-birthdate', false],
    ['ok', true],
  ])('%s is over 18: %s', async (persona, over) => {
    const login = await shop.login({ properties: Buffer.from('{"predicates":["ageOver18"]}').toString('base64url') });
    expectOk(await scan(await newPhone(persona), payload(login.sessionId, shop.redirectUri)));
    expect(expectOk(await shop.token(await shop.redeemableCode(login), login.verifier))['predicates']).toEqual({ ageOver18: over });
  });
});

sandboxed('/sandbox/v1', () => {
  it('answers JSON requests from loopback only', async () => {
    const asked = (headers: Record<string, string>) =>
      service.sendUnchecked({ method: 'POST', path: '/sandbox/v1/phones', json: { persona: 'ok' }, headers });
    expect((await asked({ 'content-type': 'text/plain' })).status).toBeGreaterThanOrEqual(400);
    expect((await asked({ host: 'countersign.example' })).status).toBeGreaterThanOrEqual(400);
  });

  it.each(['', 'nobody', 1, null])('an unknown persona is refused: %p', async (persona) => {
    expectError(await service.send({ method: 'POST', path: '/sandbox/v1/phones', json: { persona } }), 400, 'invalid_request', 'persona');
  });

  it.each([0, -1, 1.5, '1', null, 1e12])('the clock goes forward by whole seconds only, not by %p', async (advance_seconds) => {
    expectError(
      await service.send({ method: 'POST', path: '/sandbox/v1/clock', json: { advance_seconds } }),
      400,
      'invalid_request',
      'advance_seconds',
    );
  });
});
