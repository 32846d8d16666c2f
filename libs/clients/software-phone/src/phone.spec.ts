import { createPublicKey, verify } from 'node:crypto';

import { Pkcs10CertificateRequest } from '@peculiar/x509';
import { compactVerify, decodeProtectedHeader, type JWK } from 'jose';

import { sha256Base64url, SystemRandomness } from '#kernel';
import { FixedClock } from '#testkit/kernel/fixed-clock';

import { certificationRequest } from '#clients/device';
import { pinProof } from '#clients/device';
import { publicJwk } from './device-proof.js';
import { EnrolmentRefused } from './enrolment.js';
import { keyOperations } from './key-operations.js';
import { Phone } from './phone.js';
import { serializeKeys, newPhoneKeys, type PhoneKeys, parseKeys } from './phone-keys.js';
import { qrPayload } from './qr-payload.js';

const SESSION = '0f8fad5b-d9cb-469f-a165-70867728950e';
const DEVICE = { deviceId: '7c9e6679-7425-40de-944b-e07fc1f90ae7', name: 'Pixel', signingCertificate: 'AA==', certificateChain: ['AQ==', 'Ag=='] };
const SCANNED = {
  sessionId: SESSION,
  signatureType: 'AUTHENTICATION',
  relyingPartyName: 'Shop',
  expiresAt: 0,
  toBeSigned: Buffer.from('{"challenge":"x"}').toString('base64'),
  signatureAlgorithm: 'ES256',
} as const;
const ENROLMENT = { baseUrl: 'https://service.example', activationCode: 'code', name: 'Pixel', platform: 'Android 16', pin: '1234' };

interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: Headers;
  readonly body: string;
}

/** Gives the answers in turn, the last one for ever, and records the requests. */
const service = (...answers: [number, object][]) => {
  const received: Received[] = [];
  const answer: typeof fetch = (input, init = {}) => {
    const url = new URL(input as URL);
    const body = init.body ? Buffer.from(init.body as Uint8Array).toString() : '';
    received.push({ method: init.method ?? '', path: url.pathname, headers: new Headers(init.headers), body });
    const [status, reply] = (answers.length > 1 ? answers.shift() : answers[0]) as [number, object];
    return Promise.resolve(Response.json(reply, { status }));
  };
  return { fetch: answer, received };
};

const proofOf = async ({ headers }: Received, key: JWK) => {
  const proof = headers.get('device-proof') ?? '';
  const { payload } = await compactVerify(proof, createPublicKey({ key: key as never, format: 'jwk' }));
  return { header: decodeProtectedHeader(proof), claims: JSON.parse(Buffer.from(payload).toString()) as Record<string, unknown> };
};

let keys: PhoneKeys;
beforeAll(async () => {
  keys = await newPhoneKeys(new SystemRandomness());
});

const enrolled = async (...answers: [number, object][]) => {
  const { fetch, received } = service([200, DEVICE], ...answers);
  const clock = new FixedClock();
  const phone = await Phone.enrol({ ...ENROLMENT, keys }, { fetch, clock });
  return { phone, clock, received };
};

describe('an enrolment', () => {
  it('proves the new key and sends the fields of an enrolment (specification/app.md#post-device)', async () => {
    const { phone, clock, received } = await enrolled([200, DEVICE]);
    const [request] = received as [Received];
    expect([request.method, request.path]).toEqual(['POST', '/app/v1/device']);
    expect(JSON.parse(request.body)).toEqual({
      activation_code: 'code',
      name: 'Pixel',
      platform: 'Android 16',
      signing_csr: expect.any(String),
      pin_proof: await pinProof(keyOperations(keys).pin, '1234'),
    });
    const { header, claims } = await proofOf(request, publicJwk(keys.authentication));
    expect(header).toEqual({ typ: 'device-proof+jwt', alg: 'ES256', jwk: publicJwk(keys.authentication) });
    expect(claims).toEqual({
      htm: 'POST',
      htu: '/app/v1/device',
      iat: clock.now() / 1000,
      jti: expect.any(String),
      bsh: sha256Base64url(request.body),
    });
    expect(phone.deviceId).toBe(DEVICE.deviceId);
  });

  it('never sends the PIN or a private key', async () => {
    const { received } = await enrolled();
    const sent = JSON.stringify(received.map(({ headers, body }) => [...headers].join() + body));
    expect(sent).not.toContain('1234"');
    expect(received[0]?.headers.get('device-proof')).not.toContain(keys.authentication.export({ format: 'jwk' }).d);
  });

  it('throws the refusal of the service', async () => {
    const { fetch } = service([400, { errorCode: 'invalid_activation_code' }]);
    const refusal = await Phone.enrol({ ...ENROLMENT, keys }, { fetch }).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(EnrolmentRefused);
    expect(refusal).toMatchObject({ reply: { status: 400, body: { errorCode: 'invalid_activation_code' } } });
  });
});

describe('a request for a certificate', () => {
  it.each(['P-256', 'P-384', 'RSA-3072'] as const)(
    'is signed by its own %s key',
    async (type) => {
      const phoneKeys = await newPhoneKeys(new SystemRandomness(), type);
      const { signing } = phoneKeys;
      const request = new Pkcs10CertificateRequest(await certificationRequest(keyOperations(phoneKeys).signing, 'Pixel'));
      expect(await request.verify()).toBe(true);
      expect(Buffer.from(request.publicKey.rawData)).toEqual(createPublicKey(signing).export({ format: 'der', type: 'spki' }));
    },
    30_000,
  );
});

describe('an enrolled phone', () => {
  it('proves each call under its device id, anew', async () => {
    const { phone, received } = await enrolled([200, { deviceId: DEVICE.deviceId, status: 'ACTIVE' }]);
    await phone.device();
    await phone.device();
    const proofs = await Promise.all(received.slice(1).map((request) => proofOf(request, publicJwk(keys.authentication))));
    expect(proofs.map(({ header }) => header.kid)).toEqual([DEVICE.deviceId, DEVICE.deviceId]);
    expect(proofs[0]?.claims).toMatchObject({ htm: 'GET', htu: '/app/v1/device', bsh: sha256Base64url('') });
    expect(proofs[0]?.claims['jti']).not.toBe(proofs[1]?.claims['jti']);
  });

  it('scans the QR code, then signs the shown request', async () => {
    const { phone, received } = await enrolled([200, SCANNED], [200, { status: 'CONFIRMED' }]);
    const scan = await phone.scan(qrPayload('countersign', SESSION, 'https://rp.example/wait'));
    const confirmation = await phone.confirm('1234');
    expect([scan.ok, confirmation.body]).toEqual([true, { status: 'CONFIRMED' }]);
    expect(received[1]).toMatchObject({
      path: `/app/v1/session/${SESSION}/scan`,
      body: '{"return_url":"https://rp.example/wait","shows_details":true}',
    });
    const { pin_proof, signature } = JSON.parse(received[2]?.body ?? '') as Record<string, string>;
    expect(pin_proof).toBe(await pinProof(keyOperations(keys).pin, '1234'));
    const key = createPublicKey(keys.authentication);
    const signed = Buffer.from(SCANNED.toBeSigned, 'base64');
    expect(verify('sha256', signed, { key, dsaEncoding: 'ieee-p1363' }, Buffer.from(signature ?? '', 'base64'))).toBe(true);
  });

  it('reads who asks, and scans by the admission in place of the frame', async () => {
    const { phone, received } = await enrolled([200, { sessionId: SESSION, admission: 'fresh' }], [200, SCANNED]);
    const qr = `${qrPayload('countersign', SESSION, 'https://rp.example/wait')}&t=3&a=x`;
    const preview = await phone.preview(qr);
    expect(preview.body).toMatchObject({ admission: 'fresh' });
    await phone.scan(qr, { via: 'link', admission: 'fresh' });
    expect(received[1]).toMatchObject({ method: 'GET', path: `/app/v1/session/${SESSION}`, body: '' });
    expect((await proofOf(received[1]!, publicJwk(keys.authentication))).claims).toMatchObject({ htu: `/app/v1/session/${SESSION}` });
    expect(received[2]?.body).toBe('{"return_url":"https://rp.example/wait","admission":"fresh","via":"link","shows_details":true}');
  });

  it('signs a document with its signing key', async () => {
    const { phone, received } = await enrolled([200, { status: 'SCANNED' }]);
    await phone.confirm('1234', { ...SCANNED, signatureType: 'SIGNING' });
    const { signature } = JSON.parse(received[1]?.body ?? '') as Record<string, string>;
    const key = createPublicKey(keys.signing);
    const signed = Buffer.from(SCANNED.toBeSigned, 'base64');
    expect(verify('sha256', signed, { key, dsaEncoding: 'ieee-p1363' }, Buffer.from(signature ?? '', 'base64'))).toBe(true);
  });

  it('declines, and asks for the requests that were pushed to it', async () => {
    const { phone, received } = await enrolled([200, { status: 'CANCELLED' }], [200, { sessions: [] }]);
    await phone.decline('LEFT', SESSION);
    await phone.pending(20);
    expect(received[1]).toMatchObject({ path: `/app/v1/session/${SESSION}/decline`, body: '{"reason":"LEFT"}' });
    expect(received[2]?.headers.get('prefer')).toBe('wait=20');
  });

  it('sets its clock by the time of the service and repeats the call once', async () => {
    const now = Date.UTC(2026, 0, 1) / 1000 + 3600;
    const { phone, received } = await enrolled([401, { errorCode: 'invalid_device_proof', payload: { now } }], [200, { status: 'ACTIVE' }]);
    expect(await phone.device()).toMatchObject({ status: 200 });
    expect((await proofOf(received[2] as Received, publicJwk(keys.authentication))).claims['iat']).toBe(now);
  });

  it.each([61, -61, 5000, -5000])('repeats every one of three calls at once with a clock that is %d s behind', async (behind) => {
    const now = Date.UTC(2026, 0, 1) / 1000 + behind;
    const refusal: [number, object] = [401, { errorCode: 'invalid_device_proof', payload: { now } }];
    const { phone, received } = await enrolled(refusal, refusal, refusal, [200, { status: 'ACTIVE', sessions: [] }]);
    const replies = await Promise.all([phone.device(), phone.pending(), phone.device()]);
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200]);
    const proofs = await Promise.all(received.slice(4).map((request) => proofOf(request, publicJwk(keys.authentication))));
    expect(proofs.map(({ claims }) => claims['iat'])).toEqual([now, now, now]);
  });

  it('does not repeat a call that was refused for another reason than the clock', async () => {
    const now = Date.UTC(2026, 0, 1) / 1000;
    const { phone, received } = await enrolled([401, { errorCode: 'invalid_device_proof', payload: { now } }]);
    expect(await phone.device()).toMatchObject({ status: 401, ok: false });
    expect(received).toHaveLength(2);
  });

  it('goes on as it was after a restart', async () => {
    const { phone } = await enrolled([200, DEVICE]);
    const { fetch, received } = service([200, { status: 'ACTIVE' }]);
    const restored = Phone.restore(JSON.parse(JSON.stringify(phone)) as ReturnType<Phone['toJSON']>, { fetch });
    await restored.device();
    expect((await proofOf(received[0] as Received, publicJwk(keys.authentication))).header.kid).toBe(DEVICE.deviceId);
    expect(restored.certificateChain).toEqual(DEVICE.certificateChain);
  });

  it('keeps RSA keys as well', async () => {
    const rsa = await newPhoneKeys(new SystemRandomness(), 'RSA-3072');
    expect(parseKeys(serializeKeys(rsa)).signing.equals(rsa.signing)).toBe(true);
  });
});

describe('a hostile call', () => {
  it('sends the wrong proof that the test asks for', async () => {
    const { phone, received } = await enrolled([401, { payload: { now: 1 } }]);
    await phone.call('GET', '/app/v1/device', undefined, { tamper: { proof: null } });
    await phone.call('GET', '/app/v1/device', undefined, { tamper: { proof: 'x.y.z' } });
    await phone.call('POST', '/app/v1/device', { a: 1 }, { tamper: { sentBody: '{"a":2}', claims: { jti: undefined }, header: { typ: 'JWT' } } });
    expect(received).toHaveLength(4);
    expect(received[1]?.headers.has('device-proof')).toBe(false);
    expect(received[2]?.headers.get('device-proof')).toBe('x.y.z');
    const { header, claims } = await proofOf(received[3] as Received, publicJwk(keys.authentication));
    expect([header.typ, claims['bsh'], 'jti' in claims, received[3]?.body]).toEqual(['JWT', sha256Base64url('{"a":1}'), false, '{"a":2}']);
  });

  it('is signed by the key of another phone', async () => {
    const other = await newPhoneKeys(new SystemRandomness());
    const { phone, received } = await enrolled([401, {}]);
    await phone.call('GET', '/app/v1/device', undefined, { tamper: { key: other.authentication } });
    await expect(proofOf(received[1] as Received, publicJwk(keys.authentication))).rejects.toMatchObject({
      code: 'ERR_JWS_SIGNATURE_VERIFICATION_FAILED',
    });
    await expect(proofOf(received[1] as Received, publicJwk(other.authentication))).resolves.toBeDefined();
  });
});
