import { execFileSync } from 'node:child_process';
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { clientCredentials } from './client-credentials.js';

const directory = mkdtempSync(join(tmpdir(), 'credentials-'));
const path = (name: string): string => join(directory, name);
const openssl = (...args: readonly string[]) => execFileSync('openssl', args, { cwd: directory, stdio: 'pipe' });

beforeAll(async () => {
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', 'key.pem'];
  openssl('req', '-x509', ...key, '-subj', '/CN=client', '-days', '2', '-out', 'certificate.pem');
  openssl('pkcs12', '-export', '-inkey', 'key.pem', '-in', 'certificate.pem', '-passout', 'pass:open sesame', '-out', 'store.p12');
  await writeFile(path('password'), 'open sesame\n');
  await writeFile(path('login'), 'notary:s3cret:õ\n');
  await writeFile(path('no-login'), 'notary');
});
afterAll(() => rm(directory, { recursive: true }));

const problemsOf = async (files: object): Promise<unknown> =>
  clientCredentials({ prefix: 'TSA', ...files }).then(
    () => [],
    ({ problems }: { problems: unknown }) => problems,
  );

describe('the credentials for a trust service', () => {
  it('are a login, and key and certificate of a PKCS#12 file', async () => {
    const credentials = await clientCredentials({
      prefix: 'TSA',
      loginFile: path('login'),
      keyStore: path('store.p12'),
      passwordFile: path('password'),
    });
    expect(credentials?.authorization).toBe(`Basic ${Buffer.from('notary:s3cret:õ').toString('base64')}`);
    const certificate = new X509Certificate(credentials?.certificate ?? '');
    expect(certificate.checkPrivateKey(createPrivateKey(credentials?.privateKey ?? ''))).toBe(true);
  });

  it('are none without files', async () => {
    expect(await clientCredentials({ prefix: 'OCSP', passwordFile: path('absent') })).toBeUndefined();
  });

  it.each<[string, object, string]>([
    ['a missing key store', { keyStore: path('absent') }, 'TSA_KEY_STORE must be the path of a readable file.'],
    ['a wrong password', { keyStore: path('store.p12') }, 'TSA_KEY_STORE: the key store cannot be opened: is the password right?'],
    ['a file that is no key store', { keyStore: path('login') }, 'TSA_KEY_STORE: the key store cannot be opened: is the password right?'],
    [
      'a missing password',
      { keyStore: path('store.p12'), passwordFile: path('absent') },
      'TSA_KEY_STORE_PASSWORD_FILE must be the path of a readable file.',
    ],
    ['a login without a password', { loginFile: path('no-login') }, 'TSA_LOGIN_FILE must hold user:password.'],
  ])('refuse the start with %s, by the name of the setting', async (_, files, problem) => {
    expect(await problemsOf(files)).toEqual([problem]);
  });
});
