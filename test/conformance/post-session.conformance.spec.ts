import { describe, expect, it } from '@jest/globals';

import {
  expectError,
  expectOk,
  expectSecondsAfter,
  LIFETIMES,
  LONE_SURROGATES,
  newPkce,
  NOT_BOOLEANS,
  NOT_STRINGS,
  nowInSeconds,
  RelyingParty,
  secret,
  Staff,
  UUID,
  WIDE,
  word,
  WRONG_STRINGS,
} from '../support/index.js';
import { PATH, service, shop, useShop, sign, properties } from './support/session-creations.js';

useShop();

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

  it.each([...WRONG_STRINGS, ...LONE_SURROGATES])('may not be %s', async (_, value) => {
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
    const began = nowInSeconds();
    expectSecondsAfter(began, LIFETIMES.session, (await shop.login()).expiresAt);
  });

  it('expiresAt is 300 seconds from creation with push', async () => {
    const began = nowInSeconds();
    expectSecondsAfter(began, LIFETIMES.pushSession, (await shop.login({ push: true, subject_id: crypto.randomUUID() })).expiresAt);
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
