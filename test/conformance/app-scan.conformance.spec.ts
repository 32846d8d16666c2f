import { randomUUID } from 'node:crypto';

import { beforeAll, describe, expect, it } from '@jest/globals';

import {
  Browser,
  compactJws,
  expectError,
  expectOk,
  NOT_OBJECTS,
  type Phone,
  RelyingParty,
  secret,
  type Service,
  sharedService,
  Staff,
  UNKNOWN_SESSION,
  word,
  WRONG_STRINGS,
} from '../support/index.js';

const FIREFOX_ON_WINDOWS = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:131.0) Gecko/20100101 Firefox/131.0';

let service: Service;
let staff: Staff;
let shop: RelyingParty;
let phone: Phone;
let other: Phone;

beforeAll(async () => {
  service = await sharedService();
  staff = new Staff(service);
  shop = await RelyingParty.register(service, {
    redirect_uris: [`https://shop-${word()}.example/callback`, 'http://localhost:8123/callback'],
    allowed_attributes: ['name', 'country'],
    allowed_predicates: ['ageOver*'],
  });
  phone = await staff.newPhone();
  other = await staff.newPhone();
});

const properties = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

describe('the response', () => {
  it('shows the registered name, the data to be signed and how, and no field that was not given', async () => {
    const login = await shop.login();
    const answer = expectOk(await phone.scan(login.sessionId));
    expect(answer).toEqual({
      sessionId: login.sessionId,
      signatureType: 'AUTHENTICATION',
      relyingPartyName: shop.name,
      relyingPartyDomain: new URL(shop.redirectUri).host,
      expiresAt: login.expiresAt,
      toBeSigned: expect.stringMatching(/^[A-Za-z0-9+/]+={0,2}$/),
      signatureAlgorithm: 'ES256',
    });
  });

  it('of a hosted login tells browser and system of the page that claimed it', async () => {
    const login = await shop.login({ hosted_page: true });
    const claim = await new Browser(service).claim(login.handoffToken, { 'user-agent': FIREFOX_ON_WINDOWS });
    expect(claim.status).toBe(200);
    const answer = expectOk(await phone.scan(login.sessionId));
    expect(answer['waitingPage']).toMatchObject({ browser: 'Firefox', system: 'Windows' });
    expect(expectOk(await phone.scan(login.sessionId))).toEqual(answer);
  });

  it('of a hosted login whose page is not open yet tells nothing of a page', async () => {
    const login = await shop.login({ hosted_page: true });
    expect(expectOk(await phone.scan(login.sessionId))).not.toHaveProperty('waitingPage');
  });

  it('shows the title and what is requested before the PIN', async () => {
    const title = secret('title', `Log in to ${word()}`);
    const login = await shop.login({ title, properties: properties({ attributes: ['name', 'country'], predicates: ['ageOver18'] }) });
    const answer = expectOk(await phone.scan(login.sessionId));
    expect(answer['title']).toBe(title);
    expect(answer['requested']).toEqual({ attributes: ['name', 'country'], predicates: ['ageOver18'] });
  });

  it('toBeSigned is UTF-8 JSON holding sessionId, clientId, relyingPartyName, title, requested, a challenge and expiresAt', async () => {
    const title = secret('title', `Välkommen ${word()}`);
    const login = await shop.login({ title, properties: properties({ attributes: ['name'] }) });
    const answer = expectOk(await phone.scan(login.sessionId));
    const statement = JSON.parse(Buffer.from(answer['toBeSigned'] as string, 'base64').toString('utf8')) as Record<string, unknown>;
    expect(statement).toMatchObject({
      sessionId: login.sessionId,
      clientId: shop.clientId,
      relyingPartyName: shop.name,
      title,
      requested: answer['requested'],
      expiresAt: login.expiresAt,
      challenge: expect.stringMatching(/^[A-Za-z0-9_-]{22,}$/),
    });
  });

  it('the challenge is single-use: another one for each session', async () => {
    const challenges = [];
    for (const { sessionId } of [await shop.login(), await shop.login()]) {
      const { toBeSigned } = expectOk(await phone.scan(sessionId));
      challenges.push((JSON.parse(Buffer.from(toBeSigned as string, 'base64').toString()) as { challenge: string }).challenge);
    }
    expect(challenges[0]).not.toBe(challenges[1]);
  });

  it('repeats itself to the same device, in SCANNED and after the confirmation', async () => {
    const login = await shop.login();
    const first = expectOk(await phone.scan(login.sessionId));
    expect(expectOk(await phone.scan(login.sessionId))).toEqual(first);
    expectOk(await phone.confirm(login.sessionId));
    expect(expectOk(await phone.scan(login.sessionId))).toEqual(first);
    expect(await shop.statusOf(login, 'CONFIRMED')).toBe('CONFIRMED');
  });

  it('carries no state, no code_challenge, no redirect_uri', async () => {
    const login = await shop.login();
    const { text } = await phone.scan(login.sessionId);
    for (const hidden of [login.state, login.challenge, shop.redirectUri]) {
      expect(text).not.toContain(hidden);
      expect(text).not.toContain(Buffer.from(hidden).toString('base64').slice(2, -4));
    }
  });
});

describe('return_url', () => {
  const returned = async (url: unknown): Promise<unknown> =>
    expectOk(await phone.scan((await shop.login()).sessionId, { return_url: url }))['returnUrl'];

  it.each([
    ['the redirect URI', () => shop.redirectUri],
    ["another page of the client's origin", () => `${new URL(shop.redirectUri).origin}/waiting?resume=a%20b#x`],
    ['a registered loopback origin', () => 'http://localhost:8123/waiting'],
    ['the hosted login page', () => `${service.loginUrl}/#${UNKNOWN_SESSION}`],
  ])('is handed back for %s', async (_, url) => {
    expect(await returned(url())).toBe(url());
  });

  it.each([
    ['a script', () => 'javascript:alert(1)'],
    ['a script with the right origin in it', () => `javascript:alert(1)//${shop.redirectUri}`],
    ['data', () => 'data:text/html,x'],
    ['a foreign origin', () => 'https://evil.example/'],
    ['user info', () => shop.redirectUri.replace('https://', 'https://user@')],
    ['the right host as user info', () => `${new URL(shop.redirectUri).origin}@evil.example/`],
    ['the right host as a prefix', () => `${new URL(shop.redirectUri).origin}.evil.example/`],
    ['another port', () => `${new URL(shop.redirectUri).origin}:8443/`],
    ['http instead of https', () => shop.redirectUri.replace('https:', 'http:')],
    ['another loopback port', () => 'http://localhost:8124/waiting'],
    ['a path alone', () => '/waiting'],
    ['no scheme', () => shop.redirectUri.replace('https:', '')],
    ['blob', () => `blob:${shop.redirectUri}`],
    ['no URL', () => 'nonsense'],
    ['empty', () => ''],
    ['a back slash', () => `https://evil.example\\@${new URL(shop.redirectUri).host}/`],
  ])('is left out for %s', async (_, url) => {
    expect(await returned(url())).toBeUndefined();
  });

  it('that is null counts as absent', async () => {
    expect(expectOk(await phone.scan((await shop.login()).sessionId, { return_url: null }))).not.toHaveProperty('returnUrl');
  });

  it('has at most 2000 characters', async () => {
    const { sessionId } = await shop.login();
    expectError(await phone.scan(sessionId, { return_url: 'x'.repeat(2001) }), 400, 'invalid_request', 'return_url');
    expectOk(await phone.scan(sessionId, { return_url: 'x'.repeat(2000) }));
  });

  it.each(WRONG_STRINGS)('may not be %s', async (_, value) => {
    expectError(await phone.scan((await shop.login()).sessionId, { return_url: value }), 400, 'invalid_request', 'return_url');
  });
});

describe('session_not_found', () => {
  it.each([UNKNOWN_SESSION, 'x'])('an unknown session: %s', async (sessionId) => {
    expectError(await phone.scan(sessionId), 404, 'session_not_found');
  });
});

describe('session_already_scanned', () => {
  it('another device has it, in SCANNED, CONFIRMED and COMPLETED', async () => {
    for (const { sessionId } of [await shop.scanned(phone), await shop.confirmed(phone), await shop.completed(phone)]) {
      expectError(await other.scan(sessionId), 409, 'session_already_scanned');
    }
  });

  it('another phone of the same person is another device', async () => {
    const person = await staff.registerPerson();
    const [one, two] = [await staff.phoneOf(person), await staff.phoneOf(person)];
    const { sessionId } = await shop.scanned(one);
    expectError(await two.scan(sessionId), 409, 'session_already_scanned');
  });
});

describe('subject_not_allowed', () => {
  it('if subject_id was given, only that subject may scan; the session stays pending', async () => {
    const login = await shop.login({ subject_id: await shop.subjectOf(phone) });
    expectError(await other.scan(login.sessionId), 403, 'subject_not_allowed');
    expectError(await other.scan(login.sessionId), 403, 'subject_not_allowed');
    expect(await shop.statusOf(login)).toBe('PENDING');
    expectOk(await phone.scan(login.sessionId));
    expect(await shop.statusOf(login, 'SCANNED')).toBe('SCANNED');
  });

  it('no phone may scan for a subject_id that cannot be resolved', async () => {
    const login = await shop.login({ subject_id: randomUUID() });
    expectError(await phone.scan(login.sessionId), 403, 'subject_not_allowed');
    expect(await shop.statusOf(login)).toBe('PENDING');
  });

  it("another client's subject_id of the same person does not count", async () => {
    const client = await RelyingParty.register(service);
    const login = await client.login({ subject_id: await shop.subjectOf(phone) });
    expectError(await phone.scan(login.sessionId), 403, 'subject_not_allowed');
  });

  it('every phone of the subject may scan', async () => {
    const person = await staff.registerPerson();
    const [one, two] = [await staff.phoneOf(person), await staff.phoneOf(person)];
    const login = await shop.login({ subject_id: await shop.subjectOf(one) });
    expectOk(await two.scan(login.sessionId));
  });
});

describe('session_expired', () => {
  it('a CANCELLED session', async () => {
    const login = await shop.login();
    await shop.cancel(login);
    expectError(await phone.scan(login.sessionId), 410, 'session_expired');
  });
});

describe('the body', () => {
  const raw = async (body: string) => {
    const path = `/app/v1/session/${(await shop.login()).sessionId}/scan`;
    return phone.callWith(compactJws(phone.proof('POST', path, body), phone.key), 'POST', path, body);
  };

  it.each(NOT_OBJECTS.filter(([, body]) => typeof body === 'string' && body.trim() !== '') as [string, string][])(
    'malformed, %s, is invalid_request',
    async (_, body) => {
      expectError(await raw(body), 400, 'invalid_request');
    },
  );

  it.each(['sessionId', 'returnUrl', 'pin_proof', '__proto__'])('an unknown field is refused by its name: %s', async (field) => {
    expectError(await raw(`{"${field}":"x"}`), 400, 'invalid_request', field);
  });
});
