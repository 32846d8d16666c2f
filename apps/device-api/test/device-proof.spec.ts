import { generateKeyPairSync, type JsonWebKey, type KeyObject, sign } from 'node:crypto';

import type { Device, FindDevice } from '#domain/identity';
import { type DeviceId, epochSeconds, type IdentityId, sha256Base64url } from '#kernel';
import { FixedClock } from '#testkit/kernel/fixed-clock';

import { DeviceProofs, InvalidDeviceProof } from '../src/device-proof.js';
import { MemoryProofIds } from '../src/proof-ids/memory-proof-ids.js';

const DEVICE = '00000000-0000-4000-8000-00000000d001' as DeviceId;
const SECOND = '00000000-0000-4000-8000-00000000d003' as DeviceId;
const REVOKED = '00000000-0000-4000-8000-00000000d002' as DeviceId;
const PATH = '/app/v1/device';
const BODY = Buffer.from('{"name":"Phone"}');
const GET = { method: 'GET', path: PATH, isEnrolment: false };
const ENROLMENT = { method: 'POST', path: PATH, isEnrolment: true };

type Members = Readonly<Record<string, unknown>>;
interface Changes {
  readonly header?: Members;
  readonly claims?: Members;
  /** In place of the claims: the bytes of the payload. */
  readonly payload?: string;
  readonly key?: KeyObject;
}

const newKeys = (): { readonly privateKey: KeyObject; readonly jwk: JsonWebKey } => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return { privateKey, jwk: publicKey.export({ format: 'jwk' }) };
};
const [own, other] = [newKeys(), newKeys()];

let clock: FixedClock;
let proofs: DeviceProofs;
let jtis: number;

beforeEach(() => {
  clock = new FixedClock(Date.UTC(2026, 0, 1, 12, 0, 0, 500));
  jtis = 0;
  const deviceOf = (deviceId: DeviceId): Device => ({
    deviceId,
    identityId: 'person' as IdentityId,
    status: deviceId === REVOKED ? 'REVOKED' : 'ACTIVE',
    authenticationKey: own.jwk,
  });
  const findDevice = { execute: async (id: DeviceId) => ([DEVICE, SECOND, REVOKED].includes(id) ? deviceOf(id) : undefined) };
  proofs = new DeviceProofs(findDevice as unknown as FindDevice, new MemoryProofIds(), clock);
});

const encoded = (text: string): string => Buffer.from(text).toString('base64url');
const claimsOf = (method: string): Members => ({
  htm: method,
  htu: PATH,
  iat: epochSeconds(clock.now()),
  jti: `jti ${(jtis += 1)}`,
  bsh: sha256Base64url(BODY),
});
const made = (method: string, who: Members, { header, claims, payload, key = own.privateKey }: Changes): string => {
  const first = JSON.stringify({ typ: 'device-proof+jwt', alg: 'ES256', ...who, ...header });
  const content = `${encoded(first)}.${encoded(payload ?? JSON.stringify({ ...claimsOf(method), ...claims }))}`;
  return `${content}.${sign('sha256', Buffer.from(content), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`;
};
/** The proof of the enrolled phone. */
const proof = (changes: Changes = {}): string => made('GET', { kid: DEVICE }, changes);
/** The proof of a key that is to be enrolled. */
const first = (changes: Changes = {}): string => made('POST', { jwk: own.jwk }, changes);

const refused = (reason: string) => ({
  name: 'InvalidDeviceProof',
  code: 'invalid_device_proof',
  reason,
  payload: { now: epochSeconds(clock.now()) },
});
const check = (text: unknown) => proofs.check(text, GET);

describe('the proof of an enrolled phone', () => {
  it('names the phone and the bytes of the body', async () => {
    const proven = await check(proof());
    expect(proven).toEqual({ prover: { device: expect.objectContaining({ deviceId: DEVICE }) }, bodyHash: sha256Base64url(BODY) });
  });

  it.each<readonly [string, Changes, string]>([
    ['another type', { header: { typ: 'JWT' } }, 'another type'],
    ['no type', { header: { typ: undefined } }, 'another type'],
    ['another algorithm', { header: { alg: 'HS256' } }, 'no JWS with ES256'],
    ['the signature of another key', { key: other.privateKey }, 'the signature does not verify'],
    ['an unknown phone', { header: { kid: '00000000-0000-4000-8000-00000000d009' } }, 'unknown device'],
    ['a phone that is named by no UUID', { header: { kid: 'phone' } }, 'unknown device'],
    ['no phone', { header: { kid: undefined } }, 'unknown device'],
    ['a key in place of the phone', { header: { kid: undefined, jwk: own.jwk } }, 'unknown device'],
    ['a phone that was revoked', { header: { kid: REVOKED } }, 'device revoked'],
    ['another method', { claims: { htm: 'POST' } }, 'made for another request'],
    ['the method in small letters', { claims: { htm: 'get' } }, 'made for another request'],
    ['another path', { claims: { htu: `${PATH}/push` } }, 'made for another request'],
  ])('is refused with %s', async (_, changes, reason) => {
    await expect(check(proof(changes))).rejects.toMatchObject(refused(reason));
  });

  it.each([undefined, null, 7, ['a', 'b']])('is refused when the header is %j', async (given) => {
    await expect(check(given)).rejects.toMatchObject(refused('no proof'));
  });

  it('may be 4096 characters long, and no longer', async () => {
    const long = 'x'.repeat(4096);
    await expect(check(long)).rejects.toMatchObject(refused('no JWS with ES256'));
    await expect(check(`${long}x`)).rejects.toMatchObject(refused('proof too long'));
  });

  it('is found by the id of the phone in capitals too', async () => {
    expect(await check(proof({ header: { kid: DEVICE.toUpperCase() } }))).toMatchObject({ prover: { device: { deviceId: DEVICE } } });
  });
});

describe('a claim', () => {
  it.each(['htm', 'htu', 'jti', 'bsh'])('%s has to be a text of 1 to 2048 characters', async (claim) => {
    for (const value of [undefined, null, 7, '', ['GET'], 'x'.repeat(2049)])
      await expect(check(proof({ claims: { [claim]: value } }))).rejects.toMatchObject(refused('claims missing'));
  });

  it('may be 2048 characters long', async () => {
    expect(await check(proof({ claims: { jti: 'j'.repeat(2048) } }))).toBeDefined();
  });

  it.each([undefined, null, '1767268800', true])('iat may not be %j', async (iat) => {
    await expect(check(proof({ claims: { iat } }))).rejects.toMatchObject(refused('claims missing'));
  });

  it.each(['null', '7', '"claims"', '[]', '{}', '{"htm":"GET"', ''])('is missing in the payload %j: refused, and no fault', async (payload) => {
    await expect(check(proof({ payload }))).rejects.toMatchObject(refused('claims missing'));
  });
});

describe('the time of a proof', () => {
  it.each([-60, 60])('may lie %i s from the time of the service', async (seconds) => {
    expect(await check(proof({ claims: { iat: clock.now() / 1000 + seconds } }))).toBeDefined();
  });

  it.each([-60.001, 60.001])('may not lie %d s from it; the refusal tells the time, so that the phone can correct its clock', async (seconds) => {
    const refusal = check(proof({ claims: { iat: clock.now() / 1000 + seconds } }));
    await expect(refusal).rejects.toMatchObject({ reason: 'made at another time', payload: { now: Date.UTC(2026, 0, 1, 12) / 1000 } });
  });
});

describe('a proof that is sent a second time', () => {
  it('is refused', async () => {
    const once = proof();
    await check(once);
    await expect(check(once)).rejects.toMatchObject(refused('used before'));
  });

  it('is counted by phone and id: another proof of the same phone, or one of another phone or key with the same id, is a new one', async () => {
    await check(proof({ claims: { jti: 'one' } }));
    expect(await check(proof({ claims: { jti: 'two' } }))).toBeDefined();
    expect(await check(proof({ header: { kid: SECOND }, claims: { jti: 'one' } }))).toBeDefined();
    expect(await proofs.check(first({ claims: { jti: 'one' } }), ENROLMENT)).toBeDefined();
    const stranger = first({ header: { jwk: other.jwk }, key: other.privateKey, claims: { jti: 'one' } });
    expect(await proofs.check(stranger, ENROLMENT)).toBeDefined();
  });

  it('uses up nothing when the first one was refused', async () => {
    await expect(check(proof({ claims: { jti: 'one', htm: 'POST' } }))).rejects.toBeInstanceOf(InvalidDeviceProof);
    expect(await check(proof({ claims: { jti: 'one' } }))).toBeDefined();
  });
});

describe('the proof of a key that is to be enrolled', () => {
  it('brings the key, of which the public members alone are kept', async () => {
    const { kty, crv, x, y } = own.jwk;
    const { prover } = await proofs.check(first({ header: { jwk: { ...own.jwk, kid: 'k', use: 'sig' } } }), ENROLMENT);
    expect(prover).toEqual({ authenticationKey: { kty, crv, x, y } });
  });

  const withJwk = (changes: Members) => first({ header: { jwk: { ...own.jwk, ...changes } } });
  it.each<readonly [string, () => string]>([
    ['no key', () => first({ header: { jwk: undefined } })],
    ['null', () => first({ header: { jwk: null } })],
    ['a text', () => first({ header: { jwk: 'key' } })],
    ['another type of key', () => withJwk({ kty: 'OKP' })],
    ['another curve', () => withJwk({ crv: 'P-384' })],
    ['no x', () => withJwk({ x: undefined })],
    ['no y', () => withJwk({ y: undefined })],
    ['x as a list', () => withJwk({ x: [own.jwk.x] })],
    ['y as a list', () => withJwk({ y: [own.jwk.y] })],
    ['an x that is too short', () => withJwk({ x: own.jwk.x?.slice(1) })],
    ['a y that is too long', () => withJwk({ y: `${own.jwk.y}A` })],
    ['an x with a line before it', () => withJwk({ x: `\n${own.jwk.x}` })],
    ['the private member', () => first({ header: { jwk: own.privateKey.export({ format: 'jwk' }) } })],
    ['the id of an enrolled phone', () => proof({ claims: { htm: 'POST' } })],
  ])('is refused with %s', async (_, make) => {
    await expect(proofs.check(make(), ENROLMENT)).rejects.toMatchObject(refused('jwk is no public P-256 key'));
  });

  it('is refused, and no fault, when the point is not on the curve', async () => {
    const off = 'A'.repeat(43);
    await expect(proofs.check(withJwk({ x: off, y: off }), ENROLMENT)).rejects.toMatchObject(refused('key is not on the curve'));
  });

  it('is refused with the signature of another key', async () => {
    await expect(proofs.check(first({ key: other.privateKey }), ENROLMENT)).rejects.toMatchObject(refused('the signature does not verify'));
  });
});

describe('the body of a proven request', () => {
  const proven = (bytes: Buffer | string) => ({ prover: { authenticationKey: {} }, bodyHash: sha256Base64url(bytes) });

  it('is the one that the proof was made for, to the byte', () => {
    expect(() => proofs.checkBody(proven(BODY), BODY)).not.toThrow();
    expect(() => proofs.checkBody(proven(BODY), Buffer.concat([BODY, Buffer.from(' ')]))).toThrow('made for another body');
    expect(() => proofs.checkBody(proven(BODY), undefined)).toThrow('made for another body');
  });

  it('may be absent when the proof was made for none', () => {
    expect(() => proofs.checkBody(proven(''), undefined)).not.toThrow();
    expect(() => proofs.checkBody(proven(''), BODY)).toThrow(InvalidDeviceProof);
  });
});
