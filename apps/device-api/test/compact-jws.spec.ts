import { createPublicKey, generateKeyPairSync } from 'node:crypto';

import { CompactSign, type CompactJWSHeaderParameters } from 'jose';

import { readCompactJws } from '../src/compact-jws.js';

const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const made = (header: Partial<CompactJWSHeaderParameters> = {}): Promise<string> =>
  new CompactSign(Buffer.from('payload')).setProtectedHeader({ alg: 'ES256', ...header }).sign(privateKey);

describe('a compact JWS', () => {
  it('made by another library is read, and its signature checked', async () => {
    const jws = readCompactJws(await made({ typ: 'device-proof+jwt', kid: 'one' }));
    expect(jws).toMatchObject({ header: { alg: 'ES256', typ: 'device-proof+jwt', kid: 'one' }, payload: Buffer.from('payload') });
    expect(await jws?.isSignedBy(publicKey)).toBe(true);
    expect(await jws?.isSignedBy(generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey)).toBe(false);
  });

  it('is not signed when header or payload are others', async () => {
    const [header, payload, signature] = (await made()).split('.');
    expect(await readCompactJws(`${header}.${encoded('other')}.${signature}`)?.isSignedBy(publicKey)).toBe(false);
    expect(await readCompactJws(`${encoded({ alg: 'ES256', kid: 'x' })}.${payload}.${signature}`)?.isSignedBy(publicKey)).toBe(false);
    expect(await readCompactJws(`${header}.${payload}.`)?.isSignedBy(publicKey)).toBe(false);
  });

  it('verifies the example of RFC 7515 appendix A.3', async () => {
    const jwk = {
      kty: 'EC',
      crv: 'P-256',
      x: 'f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU',
      y: 'x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0',
    };
    const text =
      'eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ.' +
      'DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q';
    expect(await readCompactJws(text)?.isSignedBy(createPublicKey({ key: jwk, format: 'jwk' }))).toBe(true);
  });

  it.each<[string, (right: string) => string]>([
    ['two parts', (right) => right.split('.').slice(0, 2).join('.')],
    ['four parts', (right) => `${right}.x`],
    ['padding', (right) => `${right}=`],
    ['a line break', (right) => `${right}\n`],
    ['the other alphabet', (right) => right.replace(/^./, '+')],
    ['a header that is no JSON', (right) => right.replace(/^[^.]+/, 'nonsense')],
    ['a header that is a list', (right) => right.replace(/^[^.]+/, encoded([{ alg: 'ES256' }]))],
    ['a header that is null', (right) => right.replace(/^[^.]+/, encoded(null))],
    ['no header', (right) => right.replace(/^[^.]+/, '')],
    ['no algorithm', (right) => right.replace(/^[^.]+/, encoded({}))],
    ['the algorithm none', (right) => right.replace(/^[^.]+/, encoded({ alg: 'none' }))],
    ['the algorithm HS256', (right) => right.replace(/^[^.]+/, encoded({ alg: 'HS256' }))],
    ['critical members', (right) => right.replace(/^[^.]+/, encoded({ alg: 'ES256', crit: ['exp'] }))],
    ['a payload that is not encoded', (right) => right.replace(/^[^.]+/, encoded({ alg: 'ES256', b64: false }))],
  ])('with %s is none', async (_, change) => {
    expect(readCompactJws(change(await made()))).toBeUndefined();
  });
});
