import { generateKeyPairSync, type KeyObject, randomUUID } from 'node:crypto';

import { beforeEach, describe, expect, it } from '@jest/globals';
import { SignJWT } from 'jose';

import { MemoryRateLimits } from '#engines/rate-limit';
import { type ClientId, epochSeconds } from '#kernel';
import { FixedClock } from '#testkit/kernel/fixed-clock';
import { type Client, clientKeysIn } from '#domain/relying-party';
import type { GetOutcome } from '#domain/webhook';

import { ClientAssertions } from './client-assertions.js';
import { ClientKeySets } from './client-key-sets.js';

const ISSUER = 'https://id.example/openid';
const [CLIENT, OTHER] = ['00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000002'] as const;

const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const rsa = generateKeyPairSync('rsa', { modulusLength: 2_048 });
const jwk = ({ publicKey }: { readonly publicKey: KeyObject }, kid: string) => ({ ...publicKey.export({ format: 'jwk' }), kid });

const clock = new FixedClock();
let assertions: ClientAssertions;
let client: Client;
/** What the host of the client's keys answers. */
let published: GetOutcome;
beforeEach(() => {
  published = { error: 'unknown_host' };
  const jwks = clientKeysIn({ keys: [jwk(ec, 'ec'), jwk(rsa, 'rsa')] });
  client = { clientId: CLIENT as ClientId, enabled: true, jwks } as Client;
  assertions = new ClientAssertions({
    findClient: { execute: async (clientId) => (clientId === client.clientId ? client : undefined) },
    keySets: new ClientKeySets({ clock, get: { read: async () => published } }),
    rateLimits: new MemoryRateLimits(),
    clock,
  });
});

const execute = (assertion: string) => assertions.execute(assertion, [ISSUER, `${ISSUER}/token`]);
const now = (): number => epochSeconds(clock.now());
const signed = (
  change: Readonly<Record<string, unknown>> = {},
  header: { readonly alg?: string; readonly kid?: string } = {},
  key: KeyObject = ec.privateKey,
): Promise<string> =>
  new SignJWT({ iss: CLIENT, sub: CLIENT, aud: ISSUER, jti: randomUUID(), iat: now(), exp: now() + 60, ...change })
    .setProtectedHeader({ alg: 'ES256', ...header })
    .sign(key);

describe('the assertion of a client', () => {
  it.each([
    ['ES256', ec.privateKey],
    ['PS256', rsa.privateKey],
    ['RS256', rsa.privateKey],
  ])('authenticates it by %s', async (alg, key) => {
    expect(await execute(await signed({}, { alg }, key))).toBe(client);
  });

  it('may name the endpoint, and be of a library that makes it for an hour', async () => {
    expect(await execute(await signed({ aud: [ISSUER, `${ISSUER}/token`], exp: now() + 3_600 }))).toBe(client);
  });

  it('counts once, also as long as it lasts', async () => {
    const assertion = await signed();
    expect([await execute(assertion), await execute(assertion)]).toEqual([client, undefined]);
  });

  it('is verified by the keys that the client publishes, and refused while nobody answers there', async () => {
    client = { clientId: client.clientId, enabled: true, jwksUri: 'https://keys.example/jwks' } as Client;
    expect(await execute(await signed())).toBeUndefined();
    published = { document: Buffer.from(JSON.stringify({ keys: [jwk(ec, 'ec')] })) };
    clock.advance(10_000);
    expect(await execute(await signed())).toBe(client);
    expect(await execute(await signed({}, { kid: 'unknown' }))).toBeUndefined();
  });

  it('is refused from a disabled client, and one that has no keys', async () => {
    client = { ...client, enabled: false };
    expect(await execute(await signed())).toBeUndefined();
    client = { clientId: client.clientId, enabled: true } as Client;
    expect(await execute(await signed())).toBeUndefined();
  });

  it.each([
    ['for another server', () => signed({ aud: 'https://other.example' })],
    ['for another server too', () => signed({ aud: [ISSUER, 'https://other.example'] })],
    ['for nobody', () => signed({ aud: [] })],
    ['by another issuer', () => signed({ iss: OTHER })],
    ['of another client', () => signed({ iss: OTHER, sub: OTHER })],
    ['that is over', () => signed({ exp: now() - 10 })],
    ['that was made too long ago', () => signed({ iat: now() - 70, exp: now() + 60 })],
    ['that lasts too long, with no time of its making', () => signed({ iat: undefined, exp: now() + 71 })],
    ['that was made in the future', () => signed({ iat: now() + 11, exp: now() + 60 })],
    ['without an end', () => signed({ exp: undefined })],
    ['without an id', () => signed({ jti: undefined })],
    ['with an empty id', () => signed({ jti: '' })],
    ['with an id of 256 characters', () => signed({ jti: 'x'.repeat(256) })],
    ['with the id of another key', () => signed({}, { kid: 'rsa' })],
    ['with an unknown key id', () => signed({}, { kid: 'unknown' })],
    ['by a key that is not registered', () => signed({}, {}, generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey)],
    ['by a secret', () => new SignJWT({ iss: CLIENT, sub: CLIENT }).setProtectedHeader({ alg: 'HS256' }).sign(Buffer.alloc(32))],
    ['of 4001 characters', () => signed({ more: 'x'.repeat(4_001) })],
    ['that is no JWT', async () => 'a.b.c'],
  ])('is refused %s', async (_, made) => {
    expect(await execute(await made())).toBeUndefined();
  });

  it('is refused without a signature', async () => {
    const [, payload] = (await signed()).split('.');
    expect(await execute(`${Buffer.from('{"alg":"none"}').toString('base64url')}.${payload}.`)).toBeUndefined();
  });
});
