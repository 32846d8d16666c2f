import { beforeAll, describe, expect, it } from '@jest/globals';

import {
  DECEIVING_TEXTS,
  expectError,
  expectOk,
  LIFETIMES,
  LONE_SURROGATES,
  newPkce,
  NOT_BOOLEANS,
  NOT_OBJECTS,
  NOT_STRINGS,
  nowInSeconds,
  OTHER_TYPES,
  type Phone,
  RelyingParty,
  secret,
  type Service,
  sharedService,
  Staff,
  UUID,
  WIDE,
  word,
} from '../support/index.js';

const PATH = '/relying-party/v1/session';

let service: Service;
let shop: RelyingParty;
let phone: Phone;
let subject: string;

beforeAll(async () => {
  service = await sharedService();
  shop = await RelyingParty.register(service, { allowed_attributes: ['name'] });
  phone = await new Staff(service).newPhone();
  subject = await shop.subjectOf(phone);
});

const raw = (body: string | Buffer, headers: Record<string, string> = {}) =>
  service.send({ method: 'POST', path: PATH, raw: body, headers: { authorization: shop.authorization, ...headers } });

/** POST session with a valid body for SIGNING, changed. */
const sign = (changes: Record<string, unknown> = {}) =>
  shop.call('POST', PATH, { signature_type: 'SIGNING', signed_data_hash: 'a1'.repeat(64), ...changes });

const properties = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

describe('redirect_uri', () => {
  it('is required for AUTHENTICATION', async () => {
    expectError(await shop.post({ redirect_uri: undefined }), 400, 'invalid_request', 'redirect_uri');
  });

  it('must be registered', async () => {
    expectError(await shop.post({ redirect_uri: 'https://elsewhere.example/callback' }), 400, 'invalid_request', 'redirect_uri');
  });

  it.each([
    ['a slash more', (uri: string) => `${uri}/`],
    ['a query more', (uri: string) => `${uri}?a=b`],
    ['a fragment more', (uri: string) => `${uri}#x`],
    ['upper case', (uri: string) => uri.toUpperCase()],
    ['the default port', (uri: string) => uri.replace('.example/', '.example:443/')],
    ['another path', (uri: string) => uri.replace('/callback', '/other')],
    ['a path that leads back', (uri: string) => uri.replace('/callback', '/x/../callback')],
    ['an escaped letter', (uri: string) => uri.replace('/callback', '/callbac%6b')],
    ['http', (uri: string) => uri.replace('https:', 'http:')],
    ['a blank around it', (uri: string) => ` ${uri} `],
    ['user info', (uri: string) => uri.replace('https://', 'https://a@')],
  ])('must exactly match a registered URI: %s does not', async (_, change) => {
    expectError(await shop.post({ redirect_uri: change(shop.redirectUri) }), 400, 'invalid_request', 'redirect_uri');
  });

  it('may be any of several registered URIs', async () => {
    const uris = [`https://${word()}.example/a`, `https://${word()}.example/b?c=d`, 'http://localhost:8080/callback'];
    const client = await RelyingParty.register(service, { redirect_uris: uris });
    for (const uri of uris) expectOk(await client.post({ redirect_uri: uri }));
  });

  it("may not be another client's", async () => {
    const other = await RelyingParty.register(service);
    expectError(await shop.post({ redirect_uri: other.redirectUri }), 400, 'invalid_request', 'redirect_uri');
  });

  it('has at most 2000 characters', async () => {
    const longest = `https://long.example/${'x'.repeat(2000 - 'https://long.example/'.length)}`;
    const client = await RelyingParty.register(service, { redirect_uris: [longest] });
    expectOk(await client.post());
    expectError(await client.post({ redirect_uri: `${longest}x` }), 400, 'invalid_request', 'redirect_uri');
  });

  it.each([...NOT_STRINGS, ['empty', '']])('may not be %s', async (_, value) => {
    expectError(await shop.post({ redirect_uri: value }), 400, 'invalid_request', 'redirect_uri');
  });
});

describe('state', () => {
  it('is not required', async () => {
    expectOk(await shop.post({ state: undefined }));
  });

  it('has at most 500 characters, counted as code points', async () => {
    expectOk(await shop.post({ state: WIDE.repeat(500) }));
    expectError(await shop.post({ state: WIDE.repeat(500) + 'x' }), 400, 'invalid_request', 'state');
    expectError(await shop.post({ state: 'x'.repeat(501) }), 400, 'invalid_request', 'state');
  });

  it.each([...NOT_STRINGS, ...LONE_SURROGATES])('may not be %s', async (_, value) => {
    expectError(await shop.post({ state: value }), 400, 'invalid_request', 'state');
  });
});

describe('signature_type', () => {
  it('is required', async () => {
    expectError(await shop.post({ signature_type: undefined }), 400, 'invalid_request', 'signature_type');
  });

  it('may be AUTHENTICATION or SIGNING', async () => {
    expectOk(await shop.post({ signature_type: 'AUTHENTICATION' }));
    expectOk(await sign());
  });

  it.each([...NOT_STRINGS, ['empty', ''], ['lower case', 'authentication'], ['unknown', 'LOGIN'], ['padded', ' AUTHENTICATION']])(
    'may not be %s',
    async (_, value) => {
      expectError(await shop.post({ signature_type: value }), 400, 'invalid_request', 'signature_type');
    },
  );
});

describe('code_challenge', () => {
  it('is required for AUTHENTICATION', async () => {
    expectError(await shop.post({ code_challenge: undefined }), 400, 'invalid_request', 'code_challenge');
  });

  it('has 43 to 128 characters', async () => {
    expectOk(await shop.post({ code_challenge: 'a'.repeat(43) }));
    expectOk(await shop.post({ code_challenge: 'a'.repeat(128) }));
    expectError(await shop.post({ code_challenge: 'a'.repeat(42) }), 400, 'invalid_request', 'code_challenge');
    expectError(await shop.post({ code_challenge: 'a'.repeat(129) }), 400, 'invalid_request', 'code_challenge');
  });

  it('may hold every character of A-Z a-z 0-9 - . _ ~', async () => {
    expectOk(await shop.post({ code_challenge: '-._~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ' }));
  });

  it.each(['+', '/', '=', ' ', '\n', 'é', '%', 'Ａ'])('may not hold %p', async (character) => {
    expectError(await shop.post({ code_challenge: 'a'.repeat(42) + character }), 400, 'invalid_request', 'code_challenge');
    expectError(await shop.post({ code_challenge: 'a'.repeat(43) + character }), 400, 'invalid_request', 'code_challenge');
  });

  it.each([...NOT_STRINGS, ['empty', '']])('may not be %s', async (_, value) => {
    expectError(await shop.post({ code_challenge: value }), 400, 'invalid_request', 'code_challenge');
  });
});

describe('code_challenge_method', () => {
  it('is required for AUTHENTICATION', async () => {
    expectError(await shop.post({ code_challenge_method: undefined }), 400, 'invalid_request', 'code_challenge_method');
  });

  it.each([...NOT_STRINGS, ['empty', ''], ['plain', 'plain'], ['lower case', 's256'], ['another digest', 'S512']])(
    'is S256 only, not %s',
    async (_, value) => {
      expectError(await shop.post({ code_challenge_method: value }), 400, 'invalid_request', 'code_challenge_method');
    },
  );
});

describe('signing fields sent on an authentication session', () => {
  it.each([
    ['signed_data_hash', 'a'.repeat(128)],
    ['signed_data_name', 'contract.pdf'],
  ])('%s is refused', async (field, value) => {
    expectError(await shop.post({ [field]: value }), 400, 'invalid_request', field);
    expectError(await shop.post({ [field]: null }), 400, 'invalid_request', field);
  });
});

describe('signed_data_hash', () => {
  it('is required on a signing session', async () => {
    expectError(await sign({ signed_data_hash: undefined }), 400, 'invalid_request', 'signed_data_hash');
  });

  it('is 128 hex characters, in either case', async () => {
    for (const hash of ['0123456789abcdef'.repeat(8), '0123456789ABCDEF'.repeat(8)]) expectOk(await sign({ signed_data_hash: hash }));
  });

  it.each([
    ...NOT_STRINGS,
    ['empty', ''],
    ['127 characters', 'a'.repeat(127)],
    ['129 characters', 'a'.repeat(129)],
    ['no hex', 'g'.repeat(128)],
    ['base64', 'A'.repeat(88)],
    ['padded', `${'a'.repeat(127)}\n`],
  ])('may not be %s', async (_, value) => {
    expectError(await sign({ signed_data_hash: value }), 400, 'invalid_request', 'signed_data_hash');
  });
});

describe('signed_data_name', () => {
  it.each(['contract.pdf', 'Ленинград — договор.pdf', 'a b&c<d>.txt', '%2e%2e', "it's.txt", WIDE.repeat(255), '.hidden', 'mimetype.txt'])(
    'may be %p',
    async (name) => {
      expectOk(await sign({ signed_data_name: name }));
    },
  );

  it.each([
    ...NOT_STRINGS,
    ...DECEIVING_TEXTS,
    ...LONE_SURROGATES,
    ['empty', ''],
    ['256 characters', WIDE.repeat(256)],
    ['a path', 'a/b'],
    ['a Windows path', 'a\\b'],
    ['a drive', 'C:evil'],
    ['one dot', '.'],
    ['two dots', '..'],
    ['two dots within', 'a..b'],
    ['mimetype', 'mimetype'],
    ['META-INF', 'META-INF'],
    ['meta-inf in another case', 'meta-Inf.xml'],
  ])('may not be %s', async (_, value) => {
    expectError(await sign({ signed_data_name: value }), 400, 'invalid_request', 'signed_data_name');
  });
});

describe('login fields sent on a signing session', () => {
  it.each([
    ['code_challenge', 'a'.repeat(43)],
    ['code_challenge_method', 'S256'],
    ['properties', properties({ attributes: ['name'] })],
  ])('%s is refused', async (field, value) => {
    expectError(await sign({ [field]: value }), 400, 'invalid_request', field);
  });

  it('redirect_uri is refused without hosted_page, and required with it', async () => {
    expectError(await sign({ redirect_uri: shop.redirectUri }), 400, 'invalid_request', 'redirect_uri');
    expectError(await sign({ hosted_page: true }), 400, 'invalid_request', 'redirect_uri');
    expectError(await sign({ hosted_page: true, redirect_uri: 'https://elsewhere.example/' }), 400, 'invalid_request', 'redirect_uri');
    expectOk(await sign({ hosted_page: true, redirect_uri: shop.redirectUri }));
  });

  it('state without redirect_uri is accepted, unused', async () => {
    expectOk(await sign({ state: 'nobody will see this' }));
  });
});

describe('title', () => {
  it('is not required', async () => {
    expectOk(await shop.post({ title: undefined }));
  });

  it('has at most 255 characters, counted as code points', async () => {
    expectOk(await shop.post({ title: WIDE.repeat(255) }));
    expectError(await shop.post({ title: WIDE.repeat(255) + 'x' }), 400, 'invalid_request', 'title');
  });

  it.each(['Log in', '登录 — Вход — تسجيل الدخول — כניסה', 'a\u0301', '👩‍👩‍👧', '<b>&amp;"\'', "'; DROP TABLE events; --", '${7*7}{{7*7}}', 'a​b'])(
    'may be %p',
    async (title) => {
      expectOk(await shop.post({ title }));
    },
  );

  it.each([...NOT_STRINGS, ...DECEIVING_TEXTS, ...LONE_SURROGATES])('may not be %s', async (_, value) => {
    expectError(await shop.post({ title: value }), 400, 'invalid_request', 'title');
  });
});

describe('subject_id', () => {
  it('is not required', async () => {
    expectOk(await shop.post({ subject_id: undefined }));
  });

  it('may be a subjectId of the client', async () => {
    expect(expectOk(await shop.post({ subject_id: subject }))['pushStatus']).toBe('NOT_REQUESTED');
  });

  it('may be one that cannot be resolved', async () => {
    expect(expectOk(await shop.post({ subject_id: crypto.randomUUID() }))['pushStatus']).toBe('NOT_REQUESTED');
  });

  it.each([
    ...NOT_STRINGS,
    ['empty', ''],
    ['no UUID', 'somebody'],
    ['a UUID without its hyphens', crypto.randomUUID().replaceAll('-', '')],
    ['a UUID in braces', `{${crypto.randomUUID()}}`],
    ['two UUIDs', `${crypto.randomUUID()}${crypto.randomUUID()}`],
  ])('may not be %s', async (_, value) => {
    expectError(await shop.post({ subject_id: value }), 400, 'invalid_request', 'subject_id');
  });
});

describe('push', () => {
  it('is false by default: NOT_REQUESTED', async () => {
    expect(expectOk(await shop.post())['pushStatus']).toBe('NOT_REQUESTED');
    expect(expectOk(await shop.post({ push: false }))['pushStatus']).toBe('NOT_REQUESTED');
  });

  it('requires subject_id', async () => {
    expectError(await shop.post({ push: true }), 400, 'invalid_request', 'subject_id');
  });

  it('sends the session to every device of the subject: DISPATCHED', async () => {
    const staff = new Staff(service);
    const person = await staff.registerPerson();
    const phones = [await staff.phoneOf(person), await staff.phoneOf(person)];
    const subjectId = await shop.subjectOf(phones[0]!);
    const login = await shop.login({ push: true, subject_id: subjectId });
    expect(login.pushStatus).toBe('DISPATCHED');
    for (const one of phones) expect(await one.pendingIds()).toContain(login.sessionId);
    expect(await phone.pendingIds()).not.toContain(login.sessionId);
  });

  it('answers NO_DEVICE for a subject_id that cannot be resolved', async () => {
    const answer = expectOk(await shop.post({ push: true, subject_id: crypto.randomUUID() }));
    expect(answer['pushStatus']).toBe('NO_DEVICE');
    expect(answer['sessionId']).toMatch(UUID);
  });

  it("answers NO_DEVICE for another client's subject_id", async () => {
    const other = await RelyingParty.register(service);
    expect(expectOk(await other.post({ push: true, subject_id: subject }))['pushStatus']).toBe('NO_DEVICE');
  });

  it('answers NO_DEVICE when the only device is revoked', async () => {
    const staff = new Staff(service);
    const person = await staff.registerPerson();
    const only = await staff.phoneOf(person);
    const subjectId = await shop.subjectOf(only);
    await staff.ask('DELETE', `/identities/${person.identityId}/devices/${only.deviceId}`);
    expect(expectOk(await shop.post({ push: true, subject_id: subjectId }))['pushStatus']).toBe('NO_DEVICE');
  });

  it.each(NOT_BOOLEANS)('may not be %s', async (_, value) => {
    expectError(await shop.post({ push: value, subject_id: subject }), 400, 'invalid_request', 'push');
  });
});

describe('properties', () => {
  it('is not required', async () => {
    expectOk(await shop.post({ properties: undefined }));
  });

  it('is base64url-encoded JSON', async () => {
    expectOk(await shop.post({ properties: properties({ attributes: ['name'] }) }));
  });

  it.each([
    ...NOT_STRINGS,
    ['empty', ''],
    ['JSON as it stands', '{"attributes":["name"]}'],
    ['no JSON', Buffer.from('name').toString('base64url')],
    ['padded', `${properties({ attributes: ['name'] })}=`],
    ['standard base64', Buffer.from('{"attributes":["name"],"predicates":[]}   ~~~???').toString('base64')],
    ['no UTF-8', Buffer.from([0x22, 0xff, 0x22]).toString('base64url')],
  ])('malformed, %s, is invalid_request', async (_, value) => {
    expectError(await shop.post({ properties: value }), 400, 'invalid_request', 'properties');
  });

  it("outside the client's allow-list is invalid_scope", async () => {
    expectError(await shop.post({ properties: properties({ attributes: ['email'] }) }), 400, 'invalid_scope');
    expectError(await shop.post({ properties: properties({ predicates: ['ageOver18'] }) }), 400, 'invalid_scope');
  });
});

describe('hosted_page', () => {
  it('is false by default: no token exists', async () => {
    for (const changes of [{}, { hosted_page: false }]) expect(expectOk(await shop.post(changes))).not.toHaveProperty('handoffToken');
  });

  it('true answers a handoffToken', async () => {
    const { handoffToken } = await shop.login({ hosted_page: true });
    expect(handoffToken).toMatch(/^[A-Za-z0-9_-]{32,}$/);
  });

  it.each(NOT_BOOLEANS)('may not be %s', async (_, value) => {
    expectError(await shop.post({ hosted_page: value }), 400, 'invalid_request', 'hosted_page');
  });
});

describe('there is no client_id field', () => {
  it.each([
    'client_id',
    'clientId',
    'redirectUri',
    'codeChallenge',
    'response_type',
    'scope',
    'nonce',
    'client_secret',
    '__proto__',
    'constructor',
    'toString',
    '',
  ])('an unknown field is refused by its name: %p', async (field) => {
    const body = JSON.stringify(shop.sessionBody()).replace('{', `{${JSON.stringify(field)}:${JSON.stringify(shop.clientId)},`);
    expectError(await raw(body), 400, 'invalid_request', field);
  });
});

describe('the body', () => {
  it.each(NOT_OBJECTS)('malformed, %s, is invalid_request', async (_, body) => {
    expectError(await raw(body), 400, 'invalid_request');
  });

  it.each(OTHER_TYPES)('of type %p is refused', async (type) => {
    expectError(await raw(JSON.stringify(shop.sessionBody()), { 'content-type': type }), 415, 'invalid_request');
  });

  it.each(['application/json', 'application/json; charset=utf-8', 'Application/JSON'])('may be of type %s', async (type) => {
    expectOk(await raw(JSON.stringify(shop.sessionBody()), { 'content-type': type }));
  });

  it('has at most 64 KiB', async () => {
    const body = JSON.stringify(shop.sessionBody());
    expectOk(await raw(body.padEnd(65_536)));
    expectError(await raw(body.padEnd(65_537)), 413, 'invalid_request');
    expectError(await raw(body.padEnd(300_000)), 413, 'invalid_request');
  });

  it('names no field twice', async () => {
    const body = JSON.stringify(shop.sessionBody()).replace('{', '{"hosted_page":false,"hosted_page":true,');
    expectError(await raw(body), 400, 'invalid_request', 'hosted_page');
  });

  it('is JSON in snake_case', async () => {
    const { redirect_uri: redirectUri, ...rest } = shop.sessionBody();
    expectError(await raw(JSON.stringify({ redirectUri, ...rest })), 400, 'invalid_request', 'redirectUri');
  });

  it('does not repeat a secret in its refusal', async () => {
    const state = secret('state', `state-${word()}`);
    const answer = await shop.post({ state: state.padEnd(501, 'x') });
    expect(answer.text).not.toContain(state);
  });
});

describe('the response', () => {
  it('is sessionId, expiresAt and pushStatus, and nothing else', async () => {
    const answer = expectOk(await shop.post());
    expect(Object.keys(answer).sort()).toEqual(['expiresAt', 'pushStatus', 'sessionId']);
  });

  it('adds handoffToken only with hosted_page true', async () => {
    const answer = expectOk(await shop.post({ hosted_page: true }));
    expect(Object.keys(answer).sort()).toEqual(['expiresAt', 'handoffToken', 'pushStatus', 'sessionId']);
    secret('handoff token', answer['handoffToken'] as string);
  });

  it('sessionId is a UUID, another one each time', async () => {
    const ids = await Promise.all(Array.from({ length: 50 }, async () => (await shop.login()).sessionId));
    for (const id of ids) expect(id).toMatch(UUID);
    expect(new Set(ids).size).toBe(50);
  });

  it('expiresAt is in epoch seconds, 120 from creation', async () => {
    const { expiresAt } = await shop.login();
    expect(Number.isInteger(expiresAt)).toBe(true);
    expect(Math.abs(expiresAt - nowInSeconds() - LIFETIMES.session)).toBeLessThanOrEqual(2);
  });

  it('expiresAt is 300 seconds from creation with push', async () => {
    const { expiresAt } = await shop.login({ push: true, subject_id: crypto.randomUUID() });
    expect(Math.abs(expiresAt - nowInSeconds() - LIFETIMES.pushSession)).toBeLessThanOrEqual(2);
  });
});

describe('all of these fail before a session exists', () => {
  it.each([
    ['an unregistered redirect_uri', { redirect_uri: 'https://elsewhere.example/' }, 'invalid_request'],
    ['an unknown field', { client_id: 'x' }, 'invalid_request'],
    ['properties outside the allow-list', { properties: properties({ attributes: ['email'] }) }, 'invalid_scope'],
  ])('%s takes no Idempotency-Key and reaches no phone', async (_, changes, errorCode) => {
    const key = secret('Idempotency-Key', word());
    const staff = new Staff(service);
    const other = await staff.newPhone();
    const push = { push: true, subject_id: await shop.subjectOf(other) };
    expectError(await shop.post({ ...push, ...changes }, { 'idempotency-key': key }), 400, errorCode);
    expect(await other.pendingIds()).toEqual([]);
    expectOk(await shop.post({ code_challenge: newPkce().challenge }, { 'idempotency-key': key }));
  });
});

describe('other methods', () => {
  it.each(['GET', 'PUT', 'PATCH', 'DELETE'])('%s leads nowhere', async (method) => {
    expectError(await shop.call(method, PATH), 404, 'not_found');
  });
});
