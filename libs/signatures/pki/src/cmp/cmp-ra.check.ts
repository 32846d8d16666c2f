import { execFileSync } from 'node:child_process';
import { createPrivateKey } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';

import { ServiceUnavailable, SystemClock, SystemRandomness } from '#kernel';

import { hasCmpRa } from '../../../../../testkit/programs/cmp-ra/build.ts';
import { CmpRa, type CmpRaOptions } from '../../../../../testkit/programs/cmp-ra/cmp-ra.ts';
import { Certificate } from '../certificates/certificate.js';
import { certificateAuthorityContract } from '#testkit/pki/certificates/certificate-authority.contract';
import { TrustStore } from '../certificates/trust-store.js';
import { OID } from '../der/oids.js';
import { readKeyStore } from '../http/key-store.js';
import { canRun, missingCommands } from '#testkit/pki/foreign-programs';
import { type OpensslTrustServices, startOpensslTrustServices } from '#testkit/pki/openssl-trust-services';
import { newKey, signingRequest } from '#testkit/pki/signing-requests';
import { CmpCertificateAuthority, type CmpSettings } from './cmp-certificate-authority.js';

const HOLDER = { givenName: 'Mari-Liis', familyName: 'Männik', personalCode: '47101010033', country: 'EE' };
/** The component passes on certificates only if their keys may sign messages as well (type B of EN 319 412-2 §4.3.2). */
const KEY_USAGE = ['digitalSignature', 'nonRepudiation'];
const MINUTE = 60_000;
const SECRET = { reference: 'countersign', secret: 'correct horse' };

const missing = [
  ...missingCommands('java', 'openssl'),
  ...(hasCmpRa() ? [] : ['the registration authority (node testkit/programs/cmp-ra/fetch.ts builds it)']),
];
const describeHere = canRun(missing) ? describe : describe.skip;

/** RFC 9483's reference implementation: it judges each of our messages before it passes them on, and protects each answer itself. */
describeHere("Siemens' registration authority, before a certificate authority of OpenSSL", () => {
  let directory: string;
  let authority: OpensslTrustServices;
  let trust: TrustStore;
  let ra: CmpRa | undefined;
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'cmp-ra-'));
    authority = await startOpensslTrustServices(join(directory, 'authority'), KEY_USAGE.join(', '));
    trust = new TrustStore([Certificate.parse(derOf(await readFile(authority.rootFile, 'utf8')))]);
  });
  afterEach(async () => ra?.[Symbol.asyncDispose]());
  afterAll(async () => {
    await authority?.[Symbol.asyncDispose]();
    await rm(directory, { recursive: true });
  });
  const path = (name: string): string => join(directory, name);
  const openssl = (...parameters: readonly string[]): Buffer => execFileSync('openssl', parameters, { cwd: directory, stdio: 'pipe' });

  const start = async (options: Partial<CmpRaOptions> = {}): Promise<CmpRa> => {
    const { CA_CMP_URL: url = '', CA_CMP_SECRET_FILE: file = '' } = authority.settings;
    const [reference = '', secret = ''] = (await readFile(file, 'utf8')).trim().split(':');
    ra = await CmpRa.start({ directory, clients: SECRET, authority: { url, reference, secret }, enrolmentTrust: authority.rootFile, ...options });
    return ra;
  };
  const connect = (to: CmpRa, settings: Partial<CmpSettings> = {}): CmpCertificateAuthority =>
    new CmpCertificateAuthority({
      url: to.url,
      credentials: SECRET,
      trust,
      issuers: [],
      clock: new SystemClock(),
      randomness: new SystemRandomness(),
      ...settings,
    });
  const enrol = (client: CmpCertificateAuthority) => client.issue({ csr: signingRequest(newKey['P-256']()), holder: HOLDER });

  describe('with a shared secret', () => {
    let client: CmpCertificateAuthority;
    let shared: CmpRa;
    beforeAll(async () => {
      shared = await start();
      client = connect(shared, { profile: 'phones' });
      ra = undefined;
    });
    afterAll(() => shared[Symbol.asyncDispose]());

    // OpenSSL's certificates begin with the second in which they are issued
    certificateAuthorityContract(() => ({ authority: client, trust, now: Date.now() + MINUTE, keyUsage: KEY_USAGE }));

    it('reads the profile that the service asks for', async () => {
      const before = shared.passedOn.length;
      await enrol(client);
      // the request, and the confirmation
      expect(shared.passedOn.slice(before)).toEqual(['phones', 'phones']);
    });

    it('refuses another secret, and another name', async () => {
      for (const wrong of [
        { ...SECRET, secret: 'guessed' },
        { ...SECRET, reference: 'other' },
      ]) {
        const before = authority.issued();
        await expect(enrol(connect(shared, { credentials: wrong }))).rejects.toThrow(ServiceUnavailable);
        expect(authority.issued()).toBe(before);
      }
    });
  });

  it('decides later, while the service polls', async () => {
    const polled: number[] = [];
    const pause = async (milliseconds: number) => {
      polled.push(milliseconds);
      await new Promise((resolve) => setTimeout(resolve, milliseconds));
    };
    const { certificate } = await enrol(connect(await start({ delay: true }), { pause }));
    expect(Certificate.parse(certificate).subjectAttribute(OID.surname)).toBe('Männik');
    expect(polled).toEqual([1000]);
  });

  /** A certificate of `name` under a root of its own, with its key in `<name>.p12`. */
  const party = (name: string): void => {
    const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', `${name}.key`];
    const use = ['-addext', 'keyUsage=critical,digitalSignature,keyCertSign', '-addext', 'basicConstraints=critical,CA:TRUE'];
    openssl('req', '-x509', ...key, ...use, '-subj', `/CN=${name}`, '-days', '2', '-out', `${name}.pem`);
    openssl('pkcs12', '-export', '-inkey', `${name}.key`, '-in', `${name}.pem`, '-passout', 'pass:sesame', '-out', `${name}.p12`);
  };
  const signing = async (own: string, answering: string): Promise<Pick<CmpSettings, 'credentials'>> => {
    const { privateKey = '', certificate = '' } = readKeyStore(await readFile(path(`${own}.p12`)), 'sesame');
    const answeredBy = [Certificate.parse(derOf(await readFile(path(`${answering}.pem`), 'utf8')))];
    return { credentials: { key: createPrivateKey(privateKey), certificates: [Certificate.parse(derOf(certificate))], answeredBy } };
  };

  it('takes requests that the key of a key store signs, and signs its answers', async () => {
    for (const name of ['service', 'ra', 'stranger']) party(name);
    const signed = await start({ clients: { keyStore: path('ra.p12'), password: 'sesame', clients: path('service.pem') } });
    const { certificate } = await enrol(connect(signed, await signing('service', 'ra')));
    expect(Certificate.parse(certificate).subjectAttribute(OID.surname)).toBe('Männik');

    const before = authority.issued();
    await expect(enrol(connect(signed, await signing('stranger', 'ra')))).rejects.toThrow(ServiceUnavailable);
    expect(authority.issued()).toBe(before);
    // the service takes no answer of another signer, and so confirms no certificate that came with it
    await expect(enrol(connect(signed, await signing('service', 'stranger')))).rejects.toThrow(/signed by none of the certificates/);
  });

  it('refuses a certificate under a root that it does not trust, with its reason', async () => {
    party('other-root');
    await expect(enrol(connect(await start({ enrolmentTrust: path('other-root.pem') })))).rejects.toThrow(
      'it answered with an error: downstream: could not validate trust chain of issued certificate, signerNotTrusted',
    );
  });
});

const derOf = (pem: string): Buffer => Buffer.from(pem.replaceAll(/-----[^-]+-----|\s/g, ''), 'base64');
