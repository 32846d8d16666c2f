import { generateKeyPairSync } from 'node:crypto';

import { beforeEach, describe, expect, it } from '@jest/globals';
import { calculateJwkThumbprint, type JWK, SignJWT } from 'jose';

import { MemoryRateLimits } from '#engines/rate-limit';
import { epochSeconds } from '#kernel';
import { FixedClock } from '#testkit/kernel/fixed-clock';
import { DpopKey } from '#testkit/openid/dpop-key';

import { DpopProofs } from './dpop-proofs.js';

const TOKEN = 'https://id.example/openid/token';
const USERINFO = { method: 'GET', url: 'https://id.example/openid/userinfo', accessToken: 'token' } as const;

const clock = new FixedClock();
const key = new DpopKey();
let proofs: DpopProofs;
beforeEach(() => {
  proofs = new DpopProofs({ rateLimits: new MemoryRateLimits(), clock });
});

const now = (): number => epochSeconds(clock.now());
const made = (claims: object = {}, header: object = {}, by = key) => by.proof({ htu: TOKEN, iat: now() }, claims, header);
const check = (proof: string) => proofs.check(proof, { method: 'POST', url: TOKEN });

describe('a proof of a key', () => {
  it('tells the thumbprint of its key', async () => {
    expect(await check(await made())).toBe(await calculateJwkThumbprint(key.jwk));
    const rsa = generateKeyPairSync('rsa', { modulusLength: 2_048 });
    const jwk = rsa.publicKey.export({ format: 'jwk' }) as JWK;
    const header = { typ: 'dpop+jwt', alg: 'PS256', jwk };
    const proof = await new SignJWT({ htm: 'POST', htu: TOKEN, iat: now(), jti: 'one' }).setProtectedHeader(header).sign(rsa.privateKey);
    expect(await check(proof)).toBe(await calculateJwkThumbprint(jwk));
  });

  it('names its call in any spelling of the same address, without the query', async () => {
    for (const htu of [TOKEN, `${TOKEN}?a=1#b`, 'HTTPS://ID.example:443/openid/token', 'https://id.example/openid/./token'])
      expect(await check(await made({ htu }))).toHaveLength(43);
  });

  it('counts once, for each key', async () => {
    const proof = await made({ jti: 'one' });
    expect(await check(proof)).toHaveLength(43);
    await expect(check(proof)).rejects.toMatchObject({ code: 'invalid_dpop_proof', reason: 'the proof was used before' });
    await expect(check(await made({ jti: 'one' }))).rejects.toMatchObject({ reason: 'the proof was used before' });
    expect(await check(await made({ jti: 'one' }, {}, new DpopKey()))).toHaveLength(43);
  });

  it('for an access token names that one', async () => {
    const { url: htu, method: htm, accessToken } = USERINFO;
    expect(await proofs.check(await key.proof({ htm, htu, iat: now(), accessToken }), USERINFO)).toHaveLength(43);
    for (const wrong of [undefined, 'other'])
      await expect(proofs.check(await key.proof({ htm, htu, iat: now(), ...(wrong && { accessToken: wrong }) }), USERINFO)).rejects.toMatchObject({
        reason: 'the proof is for another access token',
      });
  });

  it.each([60, -60])('may be made %d seconds away, and no second more', async (away) => {
    expect(await check(await made({ iat: now() + away }))).toHaveLength(43);
    await expect(check(await made({ iat: now() + away + Math.sign(away) }))).rejects.toMatchObject({ reason: 'the proof was made at another time' });
  });

  const other = new DpopKey();
  it.each([
    ['for another method', () => made({ htm: 'GET' })],
    ['for another endpoint', () => made({ htu: 'https://id.example/openid/par' })],
    ['for another server', () => made({ htu: 'https://other.example/openid/token' })],
    ['for no address', () => made({ htu: 'token' })],
    ['without an address', () => made({ htu: undefined })],
    ['without a time', () => made({ iat: undefined })],
    ['without an id', () => made({ jti: undefined })],
    ['with an empty id', () => made({ jti: '' })],
    ['with an id of 256 characters', () => made({ jti: 'x'.repeat(256) })],
    ['of another type', () => made({}, { typ: 'JWT' })],
    ['without a key', () => made({}, { jwk: undefined })],
    ['with the key of somebody else', () => made({}, { jwk: other.jwk })],
    ['with a private key', () => made({}, { jwk: key.pair.privateKey.export({ format: 'jwk' }) })],
    ['by a secret', () => new SignJWT({}).setProtectedHeader({ typ: 'dpop+jwt', alg: 'HS256' }).sign(Buffer.alloc(32))],
    ['of 4001 characters', () => made({ more: 'x'.repeat(4_001) })],
    ['that are two', async () => `${await made()}, ${await made()}`],
    ['that is no JWT', async () => 'a.b.c'],
  ])('is refused %s', async (_, proof) => {
    await expect(check(await proof())).rejects.toMatchObject({ code: 'invalid_dpop_proof' });
  });

  it('is refused by RS256, and without a signature', async () => {
    const rsa = generateKeyPairSync('rsa', { modulusLength: 2_048 });
    const header = { typ: 'dpop+jwt', alg: 'RS256', jwk: rsa.publicKey.export({ format: 'jwk' }) as JWK };
    const byRs256 = await new SignJWT({ htm: 'POST', htu: TOKEN, iat: now(), jti: 'one' }).setProtectedHeader(header).sign(rsa.privateKey);
    await expect(check(byRs256)).rejects.toMatchObject({ code: 'invalid_dpop_proof' });
    const [, payload] = (await made()).split('.');
    const unsigned = Buffer.from(JSON.stringify({ typ: 'dpop+jwt', alg: 'none', jwk: key.jwk })).toString('base64url');
    await expect(check(`${unsigned}.${payload}.`)).rejects.toMatchObject({ code: 'invalid_dpop_proof' });
  });
});
