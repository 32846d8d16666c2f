import { createHmac, createPrivateKey, createPublicKey, sign, verify, type JsonWebKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { compactVerify } from 'jose';

import {
  atSigningTime,
  type Bytes,
  certificateHolder,
  certificateValidity,
  certificationRequest,
  certifiesKey,
  checkRequest,
  type DeviceKeys,
  deviceProof,
  fromBase64,
  fromDerSignature,
  pinProof,
  type ProvenRequest,
  type Prover,
  readScanUri,
  type ScanLink,
  type SessionRequest,
  type SigningKey,
  toBase64,
} from './index.js';

interface Statement {
  readonly request: SessionRequest;
  readonly now: number;
  readonly signedBytes: string;
  readonly refusedWith: readonly Partial<SessionRequest>[];
}

interface Vectors {
  readonly keys: Readonly<Record<'authentication' | 'signing', JsonWebKey>> & { readonly pinKey: string; readonly signingCertificate: string };
  readonly pinProof: { readonly pin: string; readonly pinProof: string };
  readonly deviceProofs: readonly (ProvenRequest & {
    readonly prover: { readonly deviceId: string } | { readonly enrolling: true };
    readonly now: number;
    readonly proof: string;
  })[];
  readonly certificationRequest: { readonly deviceName: string; readonly request: string };
  readonly derSignatures: readonly { readonly der: string; readonly p1363: string | null }[];
  readonly certificate: { readonly holder: string; readonly notBefore: number; readonly notAfter: number };
  readonly scanLinks: readonly { readonly appScheme: string; readonly text: string; readonly link: ScanLink | null }[];
  readonly login: Statement;
  readonly signing: Statement & { readonly signingTime: number };
}

const vectors = JSON.parse(readFileSync(join(import.meta.dirname, '../../../../test/vectors/app/device.json'), 'utf8')) as Vectors;

const bytesOf = (base64: string): Bytes => fromBase64(base64) ?? new Uint8Array(0);

/** A key store as an app has to write one: here of Node. */
const signingKey = (jwk: JsonWebKey): SigningKey => {
  const key = createPrivateKey({ key: jwk, format: 'jwk' });
  return {
    algorithm: 'ES256',
    publicKey: async () => new Uint8Array(createPublicKey(key).export({ format: 'der', type: 'spki' })),
    sign: async (bytes) => fromDerSignature(new Uint8Array(sign('sha256', bytes, key)), 32)!,
  };
};
const keys: DeviceKeys = {
  authentication: signingKey(vectors.keys.authentication),
  signing: signingKey(vectors.keys.signing),
  pin: {
    hmac: async (bytes) => new Uint8Array(createHmac('sha256', Buffer.from(vectors.keys.pinKey, 'base64url')).update(bytes).digest()),
  },
};
const device = { keys, signingCertificate: vectors.keys.signingCertificate };

/** Header and claims of a proof that verifies under the authentication key; the id of a proof is its own. */
const contentOf = async (proof: string): Promise<object> => {
  const { payload, protectedHeader } = await compactVerify(proof, createPublicKey({ key: vectors.keys.authentication, format: 'jwk' }));
  const { jti, ...claims } = JSON.parse(Buffer.from(payload).toString()) as Record<string, unknown>;
  expect(jti).toEqual(expect.any(String));
  return { protectedHeader, claims };
};

describe('the vectors for makers of apps', () => {
  it('hold the proof of a PIN', async () => {
    expect(await pinProof(keys.pin, vectors.pinProof.pin)).toBe(vectors.pinProof.pinProof);
  });

  it.each(vectors.deviceProofs)('hold the proof of a request: $method $path', async ({ prover, now, proof, ...request }) => {
    const made = await deviceProof({ ...prover, key: keys.authentication } as Prover, request, now);
    expect(await contentOf(made)).toEqual(await contentOf(proof));
  });

  it('hold a request for a certificate', async () => {
    const { deviceName, request } = vectors.certificationRequest;
    // SEQUENCE, length of two octets; then what is signed, whose length is one octet.
    const signedPart = (der: Bytes): Bytes => der.slice(der[1] === 0x82 ? 4 : 3).slice(0, (der[der[1] === 0x82 ? 6 : 5] ?? 0) + 3);
    const made = await certificationRequest(keys.signing, deviceName);
    expect(toBase64(signedPart(made))).toBe(toBase64(signedPart(bytesOf(request))));
  });

  it.each(vectors.derSignatures)('hold a signature as mobile systems give it: $der', ({ der, p1363 }) => {
    const read = fromDerSignature(bytesOf(der), 32);
    expect(read ? toBase64(read) : null).toBe(p1363);
  });

  it('hold a certificate for the signing key', async () => {
    const certificate = bytesOf(vectors.keys.signingCertificate);
    const { holder, ...validity } = vectors.certificate;
    expect([certificateHolder(certificate), certificateValidity(certificate)]).toEqual([holder, validity]);
    expect([await certifiesKey(certificate, keys.signing), await certifiesKey(certificate, keys.authentication)]).toEqual([true, false]);
  });

  it.each(vectors.scanLinks)('hold a link: $text', ({ text, appScheme, link }) => {
    expect(readScanUri(text, appScheme) ?? null).toEqual(link);
  });

  it('hold a login, and changes of it that no phone may sign', async () => {
    const { request, now, signedBytes, refusedWith } = vectors.login;
    const checked = await checkRequest(request, device, now);
    expect(toBase64(checked!)).toBe(signedBytes);
    for (const change of refusedWith) expect(await checkRequest({ ...request, ...change }, device, now)).toBeUndefined();
  });

  it('hold a signature of documents at the time of the PIN, and changes of it that no phone may sign', async () => {
    const { request, now, signingTime, signedBytes, refusedWith } = vectors.signing;
    const checked = await checkRequest(request, device, now);
    expect(toBase64(atSigningTime(checked!, signingTime)!)).toBe(signedBytes);
    for (const change of refusedWith) expect(await checkRequest({ ...request, ...change }, device, now)).toBeUndefined();
    const other = { ...device, keys: { ...keys, signing: { ...keys.signing, algorithm: 'ES384' as const } } };
    expect(await checkRequest(request, other, now)).toBeUndefined();
  });

  it('are signed by keys whose signatures the service reads as r‖s', async () => {
    const bytes = new TextEncoder().encode('any');
    const key = createPublicKey({ key: vectors.keys.signing, format: 'jwk' });
    expect(verify('sha256', bytes, { key, dsaEncoding: 'ieee-p1363' }, await keys.signing.sign(bytes))).toBe(true);
  });
});
