import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { createServer as createHttpsServer, type ServerOptions } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';

import { loadPlatformSettings } from '#service/config';
import { TestCa } from '#testkit/engine-access/test-ca';
import { SystemClock } from '#kernel';

import { reservePort } from '../../../../../testkit/processes/reserve-port.ts';
import { checkTrustServices } from './check-trust-services.js';

const DAY = 86_400_000;
const PRODUCTION = {
  ENVIRONMENT: 'production',
  BASE_URL: 'https://id.example',
  LOGIN_URL: 'https://id.example/login',
  APP_URL: 'https://phone.example',
  PORTAL_URL: 'https://portal.example',
  FOUR_EYES: 'true',
  ANCHOR_DIR: '/mnt/checkpoints',
};

let directory: string;
let ca: TestCa;
let servers: Server[];
beforeAll(async () => {
  ca = await TestCa.make();
  setDefaultCACertificates([...getCACertificates(), await readFile(ca.file, 'utf8')]);
  directory = await mkdtemp(join(tmpdir(), 'doctor-trust-'));
});
afterAll(async () => {
  await rm(directory, { recursive: true });
  await ca[Symbol.asyncDispose]();
});
beforeEach(() => {
  servers = [];
});
afterEach(() => servers.forEach((server) => server.close()));

const write = async (name: string, content: string): Promise<string> => {
  await writeFile(join(directory, name), content);
  return join(directory, name);
};
const listen = async (server: Server): Promise<number> => {
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
};
const http = async (date = Date.now()): Promise<string> => {
  const server = createServer((_, response) => response.setHeader('date', new Date(date).toUTCString()).writeHead(405).end());
  return `http://127.0.0.1:${await listen(server)}`;
};
const https = async (options: ServerOptions = {}, { expired = false } = {}): Promise<string> => {
  const { certFile, keyFile } = await ca.issue('trust-service', { expired });
  const server = createHttpsServer({ cert: await readFile(certFile), key: await readFile(keyFile), ...options }, (_, response) =>
    response.writeHead(405).end(),
  );
  return `https://localhost:${await listen(server)}`;
};
/** PKCS#12 with a certificate of the CA. */
const keyStore = async (options: { readonly expired?: boolean } = {}): Promise<string> => {
  const { certFile, keyFile } = await ca.issue('client', options);
  const path = join(directory, 'client.p12');
  execFileSync('openssl', ['pkcs12', '-export', '-inkey', keyFile, '-in', certFile, '-passout', 'pass:', '-out', path]);
  return path;
};
const clock = new SystemClock();
const ahead = { now: () => Date.now() + 30 * DAY };
const check = async (settings: Readonly<Record<string, string>>, at: Pick<SystemClock, 'now'> = clock): Promise<readonly string[]> => {
  const found = await checkTrustServices(loadPlatformSettings({ ...PRODUCTION, DATA_DIR: directory, ...settings }), at as SystemClock);
  return found.flatMap(({ problem }) => problem ?? []);
};
const authority = async () => ({
  CA_CMP_URL: 'https://localhost:1',
  CA_CMP_SECRET_FILE: await write('secret', 'reference:secret'),
  TRUST_ANCHORS: ca.file,
  TSA_URLS: await http(),
});

describe('the doctor looks at trust services and', () => {
  it('finds nothing where none is named, and where all are right', async () => {
    expect(await checkTrustServices(loadPlatformSettings({ ...PRODUCTION, DATA_DIR: directory }), clock)).toEqual([]);
    const requestCert = { requestCert: true, rejectUnauthorized: true, ca: readFileSync(ca.file) };
    const right = { ...(await authority()), CA_CMP_URL: await https(), OCSP_URL: await https(requestCert), OCSP_KEY_STORE: await keyStore() };
    expect((await check(right)).filter((problem) => !problem.includes('the certificate expires on'))).toEqual([]);
    const { OCSP_KEY_STORE: _, ...without } = right;
    expect(await check(without)).toEqual([expect.stringMatching(/^OCSP_URL: localhost:\d+: the server/)]);
  });

  it.each([
    ['a secret', 'CA_CMP_SECRET_FILE must hold reference:secret.', { CA_CMP_SECRET_FILE: 'no-colon' }],
    [
      'the key of a provisioner',
      'CA_STEP_KEY_FILE must be a private key, as a JWK or PEM.',
      { CA_CMP_URL: '', CA_STEP_URL: 'https://ca.example', CA_STEP_KEY_FILE: 'no-colon' },
    ],
    ['a login', 'TSA_LOGIN_FILE must hold user:password.', { TSA_URLS: 'https://tsa.example', TSA_LOGIN_FILE: 'no-colon' }],
    ['a missing key store', 'OCSP_KEY_STORE must be the path of a readable file.', { OCSP_URL: 'https://ocsp.example', OCSP_KEY_STORE: 'none' }],
    ['keys for pushes', expect.stringMatching(/^VAPID_KEYS: .* must hold `publicKey` and `privateKey`/), { VAPID_KEYS: 'no-colon' }],
    ['a missing file of keys for pushes', expect.stringMatching(/^VAPID_KEYS: .* cannot be read/), { VAPID_KEYS: 'none' }],
  ])('names credentials that cannot be used: %s', async (_, problem, settings) => {
    await write('no-colon', 'text');
    const files = Object.entries(settings).map(([name, value]) => [name, /FILE|STORE|KEYS/.test(name) ? join(directory, value) : value]);
    expect(await check({ ...(await authority()), ...(Object.fromEntries(files) as Record<string, string>) })).toEqual([problem]);
  });

  it('names every wrong credential at once', async () => {
    const wrong = { CA_CMP_SECRET_FILE: join(directory, 'none'), VAPID_KEYS: join(directory, 'none') };
    expect((await check({ ...(await authority()), ...wrong })).map((problem) => problem.split(/[ :]/)[0])).toEqual([
      'CA_CMP_SECRET_FILE',
      'VAPID_KEYS',
    ]);
  });

  it.each(['TSA', 'OCSP', 'CA_CMP'])('names our certificate for %s that has expired, and one that soon will', async (prefix) => {
    const { CA_CMP_SECRET_FILE: secret, ...others } = await authority();
    const credentials = prefix === 'CA_CMP' ? { CA_CMP_SIGNERS: ca.file } : { CA_CMP_SECRET_FILE: secret };
    const settings = async () => ({
      ...{ ...others, ...credentials, TSA_URLS: 'https://localhost:1', OCSP_URL: 'https://localhost:1' },
      [`${prefix}_KEY_STORE`]: await keyStore(),
    });
    expect(await check(await settings())).toEqual([
      expect.stringMatching(new RegExp(`^${prefix}_KEY_STORE: the certificate expires on .* Renew it\\.$`)),
    ]);
    expect(await check(await settings(), ahead)).toEqual([expect.stringMatching(new RegExp(`^${prefix}_KEY_STORE: the certificate has expired`))]);
  });

  it('names an address where no server listens, each of several', async () => {
    const [one, other] = [await reservePort(), await reservePort()];
    const urls = { CA_CMP_URL: await https(), TSA_URLS: `http://127.0.0.1:${one},${await http()},http://127.0.0.1:${other}` };
    const line = 'no server listens there. Correct the address, or ask its operator.';
    expect(await check({ ...(await authority()), ...urls })).toEqual([
      `TSA_URLS: 127.0.0.1:${one}: ${line}`,
      `TSA_URLS: 127.0.0.1:${other}: ${line}`,
    ]);
  });

  it('names a server whose certificate is of another CA or has expired, and one without TLS', async () => {
    await using other = await TestCa.make();
    const { certFile, keyFile } = await other.issue('trust-service');
    const foreign = await https({ cert: await readFile(certFile), key: await readFile(keyFile) });
    const plain = (await http()).replace('http:', 'https:');
    const given = await authority();
    for (const [CA_CMP_URL, problem] of [
      [foreign, 'not of a CA that this machine trusts'],
      [await https({}, { expired: true }), "the server's certificate has expired"],
      [plain, 'the server does not speak TLS there'],
    ] as const)
      expect(await check({ ...given, CA_CMP_URL })).toEqual([expect.stringContaining(problem)]);
    const step = { CA_CMP_URL: '', CA_STEP_URL: foreign, CA_STEP_TLS_ROOTS: other.file, CA_STEP_KEY_FILE: keyFile };
    expect(await check({ ...given, ...step })).toEqual([]);
  });

  it('names a clock that differs', async () => {
    const late = { CA_CMP_URL: await https(), TSA_URLS: await http(Date.now() - 3_600_000) };
    expect(await check({ ...(await authority()), ...late })).toEqual([expect.stringMatching(/^TSA_URLS: .* differ by 3\d\d\d seconds/)]);
  });
});
