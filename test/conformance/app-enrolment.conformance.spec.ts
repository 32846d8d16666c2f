import { generateKeyPairSync, type webcrypto, X509Certificate } from 'node:crypto';

import { Pkcs10CertificateRequestGenerator } from '@peculiar/x509';
import { beforeAll, describe, expect, it } from '@jest/globals';

import {
  DECEIVING_TEXTS,
  expectError,
  expectOk,
  LONE_SURROGATES,
  newSigningRequest,
  NOT_STRINGS,
  Phone,
  type Service,
  sharedService,
  Staff,
  UUID,
  WIDE,
} from '../support/index.js';

let service: Service;
let staff: Staff;

beforeAll(async () => {
  service = await sharedService();
  staff = new Staff(service);
});

const freshCode = async (): Promise<string> => staff.activationCode(await staff.registerPerson());

/** A whole enrolment with one field changed; `undefined` leaves it out. */
const enrolWith = async (changes: Record<string, unknown>, code?: string) => {
  const phone = new Phone(service);
  return phone.tryEnrol({ ...(await phone.enrolmentBody(code ?? (await freshCode()))), ...changes });
};

const signingRequest = async (algorithm: webcrypto.EcKeyGenParams | webcrypto.RsaHashedKeyGenParams): Promise<string> => {
  const keys = await crypto.subtle.generateKey(algorithm, false, ['sign', 'verify']);
  const signingAlgorithm = { name: algorithm.name, hash: 'SHA-256' };
  const request = await Pkcs10CertificateRequestGenerator.create({ name: 'CN=phone', keys, signingAlgorithm });
  return Buffer.from(request.rawData).toString('base64');
};

const rsa = (modulusLength: number): webcrypto.RsaHashedKeyGenParams => ({
  name: 'RSASSA-PKCS1-v1_5',
  hash: 'SHA-256',
  modulusLength,
  publicExponent: new Uint8Array([1, 0, 1]),
});
const ec = (namedCurve: string): webcrypto.EcKeyGenParams => ({ name: 'ECDSA', namedCurve });

describe('POST /app/v1/device answers', () => {
  it('deviceId, name, signingCertificate and certificateChain, and nothing else', async () => {
    const answer = expectOk(await enrolWith({ name: 'My phone' }));
    expect(Object.keys(answer).sort()).toEqual(['certificateChain', 'deviceId', 'name', 'signingCertificate']);
    expect(answer['deviceId']).toMatch(UUID);
    expect(answer['name']).toBe('My phone');
  });

  it('a certificate for the key of the request, and its chain: issuing CA first, root last', async () => {
    const answer = expectOk(await enrolWith({}));
    const der = (base64: unknown) => new X509Certificate(Buffer.from(base64 as string, 'base64'));
    const chain = (answer['certificateChain'] as string[]).map(der);
    const all = [der(answer['signingCertificate']), ...chain];
    expect(chain.length).toBeGreaterThanOrEqual(2);
    for (const [i, certificate] of all.entries()) {
      const issuer = all[i + 1] ?? certificate;
      expect(certificate.checkIssued(issuer)).toBe(true);
      expect(certificate.verify(issuer.publicKey)).toBe(true);
    }
    expect(all[0]!.ca).toBe(false);
    expect(all.at(-1)!.issuer).toBe(all.at(-1)!.subject);
  });
});

describe('activation_code', () => {
  it('is single-use', async () => {
    const code = await freshCode();
    expectOk(await enrolWith({}, code));
    expectError(await enrolWith({}, code), 400, 'invalid_activation_code');
  });

  it('a refused enrolment does not use it up', async () => {
    const code = await freshCode();
    expectError(await enrolWith({ signing_csr: 'AAAA' }, code), 400, 'invalid_request', 'signing_csr');
    expectOk(await enrolWith({}, code));
  });

  it.each([
    ['a word', 'x'],
    ['a UUID', crypto.randomUUID()],
    ['255 characters', 'x'.repeat(255)],
    ['hostile text', "'; DROP TABLE\u0000"],
  ])('unknown, %s, is invalid_activation_code', async (_, code) => {
    expectError(await enrolWith({ activation_code: code }), 400, 'invalid_activation_code');
  });

  it('altered is invalid_activation_code', async () => {
    const code = await freshCode();
    for (const at of [0, 10, 30, code.length - 1]) {
      const altered = code.slice(0, at) + (code[at] === 'A' ? 'g' : 'A') + code.slice(at + 1);
      expectError(await enrolWith({ activation_code: altered }), 400, 'invalid_activation_code');
    }
    expectOk(await enrolWith({}, code));
  });

  it('of an erased person is invalid_activation_code', async () => {
    const person = await staff.registerPerson();
    const code = await staff.activationCode(person);
    await staff.ask('DELETE', `/identities/${person.identityId}`);
    expectError(await enrolWith({}, code), 400, 'invalid_activation_code');
  });

  it('a person may have several, for several phones', async () => {
    const person = await staff.registerPerson();
    const codes = [await staff.activationCode(person), await staff.activationCode(person)];
    for (const code of codes) expectOk(await enrolWith({}, code));
  });
});

describe('POST /app/v1/device/holder answers', () => {
  const holder = (code: unknown) => new Phone(service).call('POST', '/app/v1/device/holder', { activation_code: code });

  it('the name of the person whose device the code makes, and the code stays usable', async () => {
    const person = await staff.registerPerson({ given_name: 'Ada', family_name: 'Byron' });
    const code = await staff.activationCode(person);
    for (let times = 0; times < 2; times++) expect(expectOk(await holder(code))).toEqual({ givenName: 'Ada', familyName: 'Byron' });
    expectOk(await enrolWith({}, code));
  });

  it('invalid_activation_code for a used, an altered and an unknown code', async () => {
    const [used, fresh] = [await freshCode(), await freshCode()];
    expectOk(await enrolWith({}, used));
    const altered = `${fresh.slice(0, 30)}${fresh[30] === 'A' ? 'g' : 'A'}${fresh.slice(31)}`;
    for (const code of [used, altered, 'x']) expectError(await holder(code), 400, 'invalid_activation_code');
  });
});

describe('the fields', () => {
  it.each(['activation_code', 'name', 'platform', 'signing_csr', 'pin_proof'])('%s is required text', async (field) => {
    for (const [, value] of [...NOT_STRINGS, ['missing', undefined], ['empty', '']] as [string, unknown][]) {
      expectError(await enrolWith({ [field]: value }), 400, 'invalid_request', field);
    }
  });

  it.each(['name', 'platform'])('%s is free text of at most 64 characters', async (field) => {
    expectOk(await enrolWith({ [field]: WIDE.repeat(64) }));
    expectError(await enrolWith({ [field]: WIDE.repeat(64) + 'x' }), 400, 'invalid_request', field);
  });

  it.each([...DECEIVING_TEXTS, ...LONE_SURROGATES])('name may not hold %s', async (_, value) => {
    expectError(await enrolWith({ name: value }), 400, 'invalid_request', 'name');
  });

  it.each(['x'.repeat(42), 'x'.repeat(44), `${'x'.repeat(42)}=`, `${'x'.repeat(42)}+`, '123456'])(
    'pin_proof is base64url of 32 bytes, not %p',
    async (value) => {
      expectError(await enrolWith({ pin_proof: value }), 400, 'invalid_request', 'pin_proof');
    },
  );

  it.each([
    ['P-256', ec('P-256')],
    ['P-384', ec('P-384')],
    ['RSA 3072', rsa(3072)],
  ])('signing_csr may be for %s', async (_, algorithm) => {
    expectOk(await enrolWith({ signing_csr: await signingRequest(algorithm) }));
  });

  it.each([
    ['P-521', () => signingRequest(ec('P-521'))],
    ['RSA 2048', () => signingRequest(rsa(2048))],
    ['no base64', async () => '{}'],
    ['no DER', async () => Buffer.from('hello').toString('base64')],
    [
      'a key instead of a request',
      async () => generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ type: 'spki', format: 'der' }).toString('base64'),
    ],
    ['a request whose signature is wrong', async () => `${(await newSigningRequest()).slice(0, -8)}AAAAAAAA`],
    ['half a request', async () => (await newSigningRequest()).slice(0, 100)],
    ['PEM', async () => `-----BEGIN CERTIFICATE REQUEST-----\n${await newSigningRequest()}`],
    ['30,000 bytes', async () => Buffer.alloc(30_000, 0x30).toString('base64')],
  ])('signing_csr may not be %s', async (_, make) => {
    expectError(await enrolWith({ signing_csr: await make() }), 400, 'invalid_request', 'signing_csr');
  });

  it.each(['identity_id', 'deviceId', 'client_id'])('an unknown one is refused by its name: %s', async (field) => {
    expectError(await enrolWith({ [field]: 'x' }), 400, 'invalid_request', field);
  });
});

describe('GET /app/v1/device answers', () => {
  it('deviceId and status ACTIVE', async () => {
    const phone = await staff.newPhone();
    expect(expectOk(await phone.show())).toEqual({ deviceId: phone.deviceId, status: 'ACTIVE' });
  });
});
