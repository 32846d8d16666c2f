import { createHash, randomBytes } from 'node:crypto';

import { describe, expect, it } from '@jest/globals';

import {
  expectError,
  expectOk,
  newCast,
  newPkce,
  NOT_OBJECTS,
  NOT_STRINGS,
  OTHER_TYPES,
  RelyingParty,
  secret,
  Staff,
  UUID,
  word,
} from '../support/index.js';

const PATH = '/relying-party/v1/session/token';

const { service, shop, phone } = await newCast();

const raw = (body: string | Buffer, headers: Record<string, string> = {}) =>
  service.send({ method: 'POST', path: PATH, raw: body, headers: { authorization: shop.authorization, ...headers } });

describe('the response', () => {
  it('is subjectId, a UUID, and nothing else when no properties were requested', async () => {
    const { code, verifier } = await shop.completed(phone);
    const answer = expectOk(await shop.token(code, verifier));
    expect(Object.keys(answer)).toEqual(['subjectId']);
    expect(answer['subjectId']).toMatch(UUID);
  });
});

describe('code', () => {
  it('is required', async () => {
    expectError(await shop.token(undefined, newPkce().verifier), 400, 'invalid_request', 'code');
  });

  it.each([...NOT_STRINGS, ['empty', ''], ['blank', '   '], ['white space', '\t\n\u00a0']])('is non-blank text, not %s', async (_, value) => {
    const answer = await shop.token(value, newPkce().verifier);
    expectError(answer, 400, 'invalid_request', 'code');
    expect(answer.json?.['defaultTranslation']).not.toContain('code_verifier');
  });

  it('has at most 255 characters', async () => {
    expectError(await shop.token('x'.repeat(255), newPkce().verifier), 400, 'invalid_grant');
    expectError(await shop.token('x'.repeat(256), newPkce().verifier), 400, 'invalid_request', 'code');
  });
});

describe('code_verifier', () => {
  it('is required', async () => {
    expectError(await shop.token('x', undefined), 400, 'invalid_request', 'code_verifier');
  });

  it('has 43 to 128 characters', async () => {
    expectError(await shop.token('x', 'a'.repeat(42)), 400, 'invalid_request', 'code_verifier');
    expectError(await shop.token('x', 'a'.repeat(43)), 400, 'invalid_grant');
    expectError(await shop.token('x', 'a'.repeat(128)), 400, 'invalid_grant');
    expectError(await shop.token('x', 'a'.repeat(129)), 400, 'invalid_request', 'code_verifier');
  });

  it.each(['+', '/', '=', ' ', '\n', 'é', '%', '\u0000', 'Ａ'])('holds only A-Z a-z 0-9 - . _ ~, not %p', async (character) => {
    expectError(await shop.token('x', 'a'.repeat(43) + character), 400, 'invalid_request', 'code_verifier');
  });

  it.each([...NOT_STRINGS, ['empty', '']])('may not be %s', async (_, value) => {
    expectError(await shop.token('x', value), 400, 'invalid_request', 'code_verifier');
  });

  it('invalid, it does not consume the code', async () => {
    const { code, verifier } = await shop.completed(phone);
    expectError(await shop.token(code, `${verifier}=`), 400, 'invalid_request', 'code_verifier');
    expectOk(await shop.token(code, verifier));
  });

  it.each([
    ['of 43 characters', randomBytes(32).toString('base64url')],
    ['of 128 characters', randomBytes(96).toString('base64url')],
    ['of every allowed character', 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~'],
  ])('%s is accepted', async (_, value) => {
    const { verifier, challenge } = newPkce(value);
    const { code } = await shop.completed(phone, { code_challenge: challenge });
    expectOk(await shop.token(code, verifier));
  });
});

describe('invalid_grant', () => {
  it.each([
    ['random', () => randomBytes(64).toString('base64url')],
    ['a word', () => 'x'],
    ['hostile text', () => "'; DROP TABLE events; --\u0000\ud83d\ude00"],
    ['a UUID', () => crypto.randomUUID()],
  ])('the code is unknown: %s', async (_, make) => {
    expectError(await shop.token(make(), newPkce().verifier), 400, 'invalid_grant');
  });

  it('the code has been consumed; a retry with the same code cannot succeed', async () => {
    const { code, verifier } = await shop.completed(phone);
    expectOk(await shop.token(code, verifier));
    expectError(await shop.token(code, verifier), 400, 'invalid_grant');
    expectError(await shop.token(code, verifier), 400, 'invalid_grant');
  });

  it('the code belongs to another client; the try does not consume it', async () => {
    const other = await RelyingParty.register(service);
    const { code, verifier } = await shop.completed(phone);
    expectError(await other.token(code, verifier), 400, 'invalid_grant');
    expectOk(await shop.token(code, verifier));
  });

  it('SHA-256 of code_verifier does not match the stored challenge; the try does not consume the code', async () => {
    const { code, verifier } = await shop.completed(phone);
    expectError(await shop.token(code, newPkce().verifier), 400, 'invalid_grant');
    expectError(await shop.token(code, verifier.toLowerCase().padEnd(43, 'a')), 400, 'invalid_grant');
    expectOk(await shop.token(code, verifier));
  });

  it('the challenge itself is no verifier', async () => {
    const { code, verifier, challenge } = await shop.completed(phone);
    expectError(await shop.token(code, challenge), 400, 'invalid_grant');
    expectOk(await shop.token(code, verifier));
  });

  it('the challenge is not the digest of the raw random bytes', async () => {
    const bytes = randomBytes(32);
    const verifier = secret('code_verifier', bytes.toString('base64url'));
    const { code } = await shop.completed(phone, { code_challenge: createHash('sha256').update(bytes).digest('base64url') });
    expectError(await shop.token(code, verifier), 400, 'invalid_grant');
  });

  it.each([0, 1, 20, 40, 60, -1])('the code is altered at character %d', async (at) => {
    const { code, verifier } = await shop.completed(phone);
    const index = at < 0 ? code.length - 1 : Math.min(at, code.length - 2);
    const altered = code.slice(0, index) + (code[index] === 'A' ? 'g' : 'A') + code.slice(index + 1);
    expectError(await shop.token(altered, verifier), 400, 'invalid_grant');
    expectOk(await shop.token(code, verifier));
  });

  it.each([
    ['a character more', (code: string) => `${code}A`],
    ['a character less', (code: string) => code.slice(0, -1)],
    ['padding', (code: string) => `${code}=`],
    ['a blank around it', (code: string) => ` ${code} `],
    ['upper case', (code: string) => code.toUpperCase()],
    ['a line feed at its end', (code: string) => `${code}\n`],
  ])('the code comes with %s', async (_, change) => {
    const { code, verifier } = await shop.completed(phone);
    expectError(await shop.token(change(code), verifier), 400, 'invalid_grant');
    expectOk(await shop.token(code, verifier));
  });

  it('the code is a handoff token', async () => {
    const { handoffToken, verifier } = await shop.login({ hosted_page: true });
    expectError(await shop.token(handoffToken, verifier), 400, 'invalid_grant');
  });
});

describe('the body', () => {
  it('carries no client_id', async () => {
    const { code, verifier } = await shop.completed(phone);
    const answer = await shop.call('POST', PATH, { code, code_verifier: verifier, client_id: shop.clientId });
    expectError(answer, 400, 'invalid_request', 'client_id');
    expectOk(await shop.token(code, verifier));
  });

  it.each(['client_secret', 'grant_type', 'redirect_uri', 'codeVerifier', '__proto__'])(
    'an unknown field is refused by its name: %s',
    async (field) => {
      const body = `{"code":"x","code_verifier":"${'a'.repeat(43)}","${field}":"x"}`;
      expectError(await raw(body), 400, 'invalid_request', field);
    },
  );

  it.each(NOT_OBJECTS)('malformed, %s, is invalid_request', async (_, body) => {
    expectError(await raw(body), 400, 'invalid_request');
  });

  it.each(OTHER_TYPES)('is JSON, not form-encoded: %p', async (type) => {
    const body = type.includes('form') ? `code=x&code_verifier=${'a'.repeat(43)}` : `{"code":"x","code_verifier":"${'a'.repeat(43)}"}`;
    expectError(await raw(body, { 'content-type': type }), 415, 'invalid_request');
  });

  it('has at most 64 KiB', async () => {
    const body = `{"code":"x","code_verifier":"${'a'.repeat(43)}"}`;
    expectError(await raw(body.padEnd(65_536)), 400, 'invalid_grant');
    expectError(await raw(body.padEnd(65_537)), 413, 'invalid_request');
  });

  it('names no field twice', async () => {
    expectError(await raw(`{"code":"a","code":"b","code_verifier":"${'a'.repeat(43)}"}`), 400, 'invalid_request', 'code');
  });
});

describe('before the completion', () => {
  it('the status shows no code', async () => {
    const login = await shop.confirmed(phone);
    await shop.statusOf(login, 'CONFIRMED');
    expect(Object.keys(expectOk(await shop.status(login)))).toEqual(['status']);
  });
});

describe('subjectId', () => {
  it('is the same for the same person and client, on another phone too', async () => {
    const staff = new Staff(service);
    const person = await staff.registerPerson();
    const [one, two] = [await staff.phoneOf(person), await staff.phoneOf(person)];
    const first = await shop.subjectOf(one);
    expect(await shop.subjectOf(one)).toBe(first);
    expect(await shop.subjectOf(two)).toBe(first);
  });

  it('is unrelated across clients', async () => {
    const other = await RelyingParty.register(service);
    expect(await other.subjectOf(phone)).not.toBe(await shop.subjectOf(phone));
  });

  it('is another one for another person', async () => {
    expect(await shop.subjectOf(await new Staff(service).newPhone())).not.toBe(await shop.subjectOf(phone));
  });

  it('stays after the client has a new secret and a new name', async () => {
    const client = await RelyingParty.register(service);
    const before = await client.subjectOf(phone);
    const staff = new Staff(service);
    const { clientSecret } = await staff.ask('POST', `/clients/${client.clientId}/secret`);
    client.clientSecret = secret('client secret', clientSecret as string);
    await staff.ask('PATCH', `/clients/${client.clientId}`, { name: `Renamed ${word()}` });
    expect(await client.subjectOf(phone)).toBe(before);
  });

  it('is neither the identityId nor the client_id', async () => {
    const staff = new Staff(service);
    const person = await staff.registerPerson();
    const subjectId = await shop.subjectOf(await staff.phoneOf(person));
    expect([person.identityId, shop.clientId]).not.toContain(subjectId);
  });
});
