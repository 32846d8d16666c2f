import { createPublicKey, generateKeyPairSync, randomBytes } from 'node:crypto';

import { CompactSign, FlattenedSign } from 'jose';

import { isSignedBy, parseCompactJws } from './compact-jws.js';

/** RFC 7515 appendix A.3. */
const EXAMPLE =
  'eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ' +
  '.DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q';
const EXAMPLE_KEY = createPublicKey({
  key: { kty: 'EC', crv: 'P-256', x: 'f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU', y: 'x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0' },
  format: 'jwk',
});

const verifies = (text: string, key = EXAMPLE_KEY): boolean => {
  const jws = parseCompactJws(text);
  return jws !== undefined && isSignedBy(key, jws);
};

const [header = '', payload = '', signature = ''] = EXAMPLE.split('.');
const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

describe('a compact JWS', () => {
  it('is taken apart and verified like the example of the standard', () => {
    expect(parseCompactJws(EXAMPLE)).toMatchObject({ header: { alg: 'ES256' } });
    expect(parseCompactJws(EXAMPLE)?.payload.toString()).toContain('"iss":"joe"');
    expect(verifies(EXAMPLE)).toBe(true);
  });

  it('of another library verifies, and by no other key', async () => {
    const [mine, other] = [generateKeyPairSync('ec', { namedCurve: 'P-256' }), generateKeyPairSync('ec', { namedCurve: 'P-256' })];
    for (let time = 0; time < 50; time += 1) {
      const made = await new CompactSign(randomBytes(time)).setProtectedHeader({ alg: 'ES256', typ: 'x' }).sign(mine.privateKey);
      expect(verifies(made, mine.publicKey)).toBe(true);
      expect(verifies(made, other.publicKey)).toBe(false);
    }
  });

  it('with any bit altered does not verify', () => {
    for (const [part, text] of [header, payload, signature].entries()) {
      const bytes = Buffer.from(text, 'base64url');
      for (let bit = 0; bit < bytes.length * 8; bit += 1) {
        const altered = Buffer.from(bytes);
        altered[bit >> 3]! ^= 1 << (bit & 7);
        expect(verifies(EXAMPLE.split('.').with(part, altered.toString('base64url')).join('.'))).toBe(false);
      }
    }
  });

  it.each([
    ['nothing', ''],
    ['two parts', `${header}.${payload}`],
    ['four parts', `${EXAMPLE}.`],
    ['padding', `${header}=.${payload}.${signature}`],
    ['the other alphabet', `${header}.${payload}.${signature.replaceAll('-', '+')}`],
    ['trailing bits', `${header}.${payload}.${signature.slice(0, -1)}R`],
    ['white space', `${header}.${payload}.${signature} `],
    ['a header that is no JSON', `AAAA.${payload}.${signature}`],
    ['a header that is a list', `${encode([])}.${payload}.${signature}`],
    ['a header that is null', `${encode(null)}.${payload}.${signature}`],
  ])('is not: %s', (_, text) => {
    expect(parseCompactJws(text)).toBeUndefined();
  });

  it.each([
    ['none', ''],
    ['one byte less', Buffer.from(signature, 'base64url').subarray(1).toString('base64url')],
    ['one byte more', Buffer.concat([Buffer.from(signature, 'base64url'), Buffer.of(0)]).toString('base64url')],
    ['zeros, CVE-2022-21449', Buffer.alloc(64).toString('base64url')],
    ['DER', derOf(Buffer.from(signature, 'base64url')).toString('base64url')],
  ])('whose signature is %s does not verify', (_, other) => {
    expect(verifies(`${header}.${payload}.${other}`)).toBe(false);
  });

  it('whose payload is not encoded (RFC 7797) does not verify', async () => {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const made = await new FlattenedSign(Buffer.from('text')).setProtectedHeader({ alg: 'ES256', b64: false, crit: ['b64'] }).sign(privateKey);
    expect(verifies(`${made.protected}.${encode('text')}.${made.signature}`, publicKey)).toBe(false);
  });
});

/** The same two numbers as an ASN.1 SEQUENCE of INTEGERs. */
function derOf(pair: Buffer): Buffer {
  const integers = [pair.subarray(0, 32), pair.subarray(32)].map((number) => {
    const positive = (number[0] ?? 0) & 0x80 ? Buffer.concat([Buffer.of(0), number]) : number;
    return Buffer.concat([Buffer.of(2, positive.length), positive]);
  });
  const body = Buffer.concat(integers);
  return Buffer.concat([Buffer.of(0x30, body.length), body]);
}
