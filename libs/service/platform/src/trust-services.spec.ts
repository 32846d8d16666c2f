import { execFileSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { loadPlatformSettings } from '#service/config';
import { SystemClock, SystemRandomness } from '#kernel';
import { CmpCertificateAuthority, HttpRevocationSource, HttpTimestampAuthority, StepCertificateAuthority } from '#signatures/pki';

import { trustServices } from './trust-services.js';

const directory = mkdtempSync(join(tmpdir(), 'trust-services-'));
const path = (name: string): string => join(directory, name);
const openssl = (...args: readonly string[]) => execFileSync('openssl', args, { cwd: directory, stdio: 'pipe' });

beforeAll(async () => {
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', 'key.pem'];
  openssl('req', '-x509', ...key, '-subj', '/CN=registration authority', '-days', '2', '-out', 'certificate.pem');
  openssl('pkcs12', '-export', '-inkey', 'key.pem', '-in', 'certificate.pem', '-passout', 'pass:open sesame', '-out', 'store.p12');
  await writeFile(path('password'), 'open sesame\n');
  await writeFile(path('secret'), 'countersign:correct horse\n');
  await writeFile(path('no-secret'), 'countersign');
  await writeFile(path('empty'), '');
});
afterAll(() => rm(directory, { recursive: true }));

/** The trust services of a guarded environment: there is no development PKI. */
const open = (environment: Record<string, string>) =>
  trustServices({
    settings: loadPlatformSettings(environment),
    pki: undefined,
    clock: new SystemClock(),
    randomness: new SystemRandomness(),
    certificateStatus: () => Promise.reject(new Error('not asked')),
  });
const FOREIGN = { SANDBOX: 'false', TSA_URLS: 'https://tsa.example', TRUST_ANCHORS: path('certificate.pem'), CA_CMP_URL: 'https://ca.example' };

describe('the trust services without a development trust service', () => {
  it('are none without a certificate authority, or without time-stamps', async () => {
    expect(await open({ ...FOREIGN, CA_CMP_URL: '' })).toBeUndefined();
    expect(await open({ ...FOREIGN, TSA_URLS: '', CA_CMP_SECRET_FILE: path('secret') })).toBeUndefined();
  });

  it.each([
    ['a shared secret', { CA_CMP_SECRET_FILE: path('secret') }],
    [
      'a key store',
      { CA_CMP_KEY_STORE: path('store.p12'), CA_CMP_KEY_STORE_PASSWORD_FILE: path('password'), CA_CMP_SIGNERS: path('certificate.pem') },
    ],
  ])('are foreign ones altogether, with %s for the certificate authority', async (_, credentials) => {
    const services = await open({ ...FOREIGN, ...credentials });
    expect(services?.certificateAuthority).toBeInstanceOf(CmpCertificateAuthority);
    expect(services?.timestampAuthority).toBeInstanceOf(HttpTimestampAuthority);
    expect(services?.revocationSource).toBeInstanceOf(HttpRevocationSource);
    expect(services?.developmentPki).toBeUndefined();
    expect(services?.trustStore.anchors.map(({ pem }) => pem.trim())).toEqual([(await readFile(path('certificate.pem'), 'utf8')).trim()]);
  });

  it('are foreign ones with a step-ca too, by the key of its provisioner', async () => {
    const step = { CA_CMP_URL: '', CA_STEP_URL: 'https://ca.example', CA_STEP_KEY_FILE: path('key.pem'), CA_STEP_TLS_ROOTS: path('certificate.pem') };
    expect((await open({ ...FOREIGN, ...step }))?.certificateAuthority).toBeInstanceOf(StepCertificateAuthority);
    for (const [file, problem] of [
      ['absent', 'CA_STEP_KEY_FILE must be the path of a readable file.'],
      ['secret', 'CA_STEP_KEY_FILE must be a private key, as a JWK or PEM.'],
    ] as const)
      await expect(open({ ...FOREIGN, ...step, CA_STEP_KEY_FILE: path(file) })).rejects.toMatchObject({ problems: [problem] });
  });

  it.each<[string, Record<string, string>, string]>([
    ['a missing secret', { CA_CMP_SECRET_FILE: path('absent') }, 'CA_CMP_SECRET_FILE must be the path of a readable file.'],
    ['a secret without its reference', { CA_CMP_SECRET_FILE: path('no-secret') }, 'CA_CMP_SECRET_FILE must hold reference:secret.'],
    [
      'a wrong password',
      { CA_CMP_KEY_STORE: path('store.p12'), CA_CMP_SIGNERS: path('certificate.pem') },
      'CA_CMP_KEY_STORE: the key store cannot be opened: is the password right?',
    ],
    [
      'a file without certificates',
      { CA_CMP_KEY_STORE: path('store.p12'), CA_CMP_KEY_STORE_PASSWORD_FILE: path('password'), CA_CMP_SIGNERS: path('empty') },
      'CA_CMP_SIGNERS must be the path of a readable file of PEM certificates.',
    ],
    [
      'issuers that are none',
      { CA_CMP_SECRET_FILE: path('secret'), CA_ISSUERS: path('empty') },
      'CA_ISSUERS must be the path of a readable file of PEM certificates.',
    ],
  ])('refuse the start with %s, by the name of the setting', async (_, credentials, problem) => {
    await expect(open({ ...FOREIGN, ...credentials })).rejects.toMatchObject({ problems: [problem] });
  });
});
