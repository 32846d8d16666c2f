import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server as HttpServer } from 'node:http';
import { createServer as createHttpsServer, type Server } from 'node:https';
import { type AddressInfo, createServer as createTcpServer, type Server as TcpServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { generateKeyFiles, loadPlatformSettings } from '#service/config';
import { TestCa } from '#testkit/engine-access/test-ca';
import { newAnchorDirectory } from '#testkit/platform/new-anchor-directory';
import { BEHAVIOURS, DIALECTS } from '#testkit/event-store/eventstoredb/grpc-test-server/dialect';
import { SpawnedTestServer } from '#testkit/event-store/eventstoredb/spawned-test-server';
import { type Clock, SystemClock, SystemRandomness } from '#kernel';
import { FixedClock } from '#testkit/kernel/fixed-clock';

import { reservePort } from '../../../../../testkit/processes/reserve-port.ts';
import { checkEngines } from './check-engines.js';
import { examine } from './examine.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const randomness = new SystemRandomness();

let directory: string;
let anchors: string;
let ca: TestCa;
let pem: string;
let servers: (HttpServer | Server | TcpServer)[];
beforeAll(async () => {
  ca = await TestCa.make();
  pem = await readFile(ca.file, 'utf8');
});
afterAll(() => ca[Symbol.asyncDispose]());
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'doctor-'));
  anchors = await newAnchorDirectory();
  servers = [];
  await generateKeyFiles(join(directory, 'keys'), { clock: new SystemClock(), randomness });
});
afterEach(async () => {
  for (const server of servers) server.close();
  await rm(directory, { recursive: true });
  await rm(anchors, { recursive: true });
});

const listen = async <Listening extends HttpServer | Server | TcpServer>(server: Listening): Promise<number> => {
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
};
/** A proxy that ends TLS; the service behind it need not run. Certificates of the CA are valid for a day. */
const proxy = async ({ expired = false, date }: { expired?: boolean; date?: number } = {}): Promise<string> => {
  const { certFile, keyFile } = await ca.issue('proxy', { expired });
  const options = { cert: await readFile(certFile), key: await readFile(keyFile) };
  const server = createHttpsServer(options, (_, response) => {
    if (date !== undefined) response.setHeader('date', new Date(date).toUTCString());
    response.writeHead(502).end();
  });
  return `https://localhost:${await listen(server)}`;
};

interface Given {
  readonly baseUrl?: string;
  readonly trusted?: string;
  readonly clock?: Clock;
}

const problems = async (
  settings: Readonly<Record<string, string>> = {},
  { baseUrl, trusted = pem, clock }: Given = {},
): Promise<readonly string[]> => {
  const url = baseUrl ?? (await proxy());
  const environment = {
    ENVIRONMENT: 'production',
    BASE_URL: url,
    LOGIN_URL: `${url}/login`,
    APP_URL: await proxy(),
    PORTAL_URL: `${await proxy()}/portal`,
    FOUR_EYES: 'true',
    ANCHOR_DIR: anchors,
    PORT: String(await reservePort()),
    DATA_DIR: directory,
    ...settings,
  };
  const found = await examine(environment, { ca: trusted, ...(clock && { clock }) });
  return found.flatMap(({ problem }) => problem ?? []);
};
/** Every test gets this finding, because certificates of the test CA are valid for a day only. */
const RENEW = /the certificate expires on .* Renew it\./;
const others = (found: readonly string[]) => found.filter((problem) => !RENEW.test(problem));

describe('the doctor', () => {
  it('finds nothing in an installation as docs/operator.md sets it up', async () => {
    expect(others(await problems())).toEqual([]);
  });

  it('names every wrong setting with its remedy', async () => {
    expect(await problems({ SANDBOX: 'true', DEMO: 'true' })).toEqual([
      expect.stringMatching(/^SANDBOX must be false.* Leave SANDBOX out\.$/),
      expect.stringMatching(/^DEMO must be false.* Leave DEMO out\.$/),
    ]);
  });

  it('names a missing key file, and one that every user may read', async () => {
    await rm(join(directory, 'keys/pin.json'));
    await chmod(join(directory, 'keys/data.json'), 0o644);
    expect(others(await problems())).toEqual([
      expect.stringMatching(/pin\.json cannot be read.* Run npm run cli -- keys generate/),
      expect.stringMatching(/data\.json \(mode 0644\)\. Run chmod 600/),
    ]);
  });

  it('names a broken key file in development too', async () => {
    await writeFile(join(directory, 'keys/pin.json'), '[]');
    expect(await problems({ ENVIRONMENT: 'development', BASE_URL: '', LOGIN_URL: '', APP_URL: '' })).toEqual([
      expect.stringContaining('pin.json is not a valid key file: it must be a list of at least one key'),
    ]);
  });

  it('names a DATA_DIR that is no folder', async () => {
    await writeFile(join(directory, 'file'), '');
    const found = await problems({ DATA_DIR: join(directory, 'file'), KEY_DIR: join(directory, 'keys') });
    expect(others(found)).toEqual([expect.stringMatching(/^DATA_DIR: this user cannot write to .* Give it to the user of the service/)]);
  });

  it('names a port that is taken', async () => {
    const port = await listen(createServer());
    expect(others(await problems({ PORT: String(port) }))).toEqual([
      `PORT: another process listens on port ${port}. Stop it, or set PORT to a free one.`,
    ]);
  });

  it('names a HOST that is not of this machine', async () => {
    expect(others(await problems({ HOST: '192.0.2.1' }))).toEqual([expect.stringContaining('HOST: this machine cannot listen on 192.0.2.1')]);
  });
});

describe('the doctor looks at the public addresses and', () => {
  it('names one where no server listens', async () => {
    const closed = async () => `https://localhost:${await reservePort()}`;
    const found = await problems({ APP_URL: await closed(), PORTAL_URL: await closed() }, { baseUrl: await closed() });
    expect(found).toEqual(
      ['BASE_URL', 'LOGIN_URL', 'APP_URL', 'PORTAL_URL'].map((setting) => `${setting}: no server listens there. Start the proxy that ends TLS.`),
    );
  });

  it('names one whose name has no address', async () => {
    const [first] = await problems({}, { baseUrl: 'https://countersign.invalid' });
    expect(first).toMatch(/^BASE_URL: (the name has no address|the DNS does not answer)/);
  }, 120_000);

  it('names a server without TLS', async () => {
    const [first] = await problems({}, { baseUrl: `https://localhost:${await listen(createServer())}` });
    expect(first).toBe('BASE_URL: the server does not speak TLS there. Correct the configuration of the proxy.');
  });

  it('names a certificate of an unknown CA', async () => {
    const [first] = await problems({}, { trusted: '' });
    expect(first).toMatch(/^BASE_URL: the certificate is not of a CA that this machine trusts\./);
  });

  it('names a certificate that has expired, and one that soon will', async () => {
    expect((await problems({}, { baseUrl: await proxy({ expired: true }) }))[0]).toBe('BASE_URL: the certificate has expired. Renew it.');
    expect((await problems())[0]).toMatch(/^BASE_URL: the certificate expires on /);
  });

  it('names a clock that differs by more than five seconds', async () => {
    const found = others(await problems({}, { baseUrl: await proxy({ date: Date.now() - HOUR }) }));
    expect(found[0]).toMatch(/^BASE_URL: the clock there and the clock of this machine differ by 3\d\d\d seconds\. Synchronise both/);
  });
});

describe('the doctor looks at certificate files and', () => {
  it.each([
    ['a missing file', undefined, 'TRUST_ANCHORS names a file that this user cannot read'],
    ['a file without a certificate', 'text', 'TRUST_ANCHORS names a file without a certificate'],
    ['a broken certificate', '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n', 'TRUST_ANCHORS: a certificate cannot be read'],
  ])('names %s', async (_, content, problem) => {
    const path = join(directory, 'anchors.pem');
    if (content !== undefined) await writeFile(path, content);
    expect(others(await problems({ TRUST_ANCHORS: path }))).toEqual([expect.stringContaining(problem)]);
  });

  it('names one that has expired, one that soon will, and one that is not valid yet', async () => {
    const { certFile } = await ca.issue('anchor');
    const at = async (now: number) => {
      const clock = new FixedClock();
      clock.advance(now - clock.now());
      return (await problems({ TRUST_ANCHORS: certFile }, { clock })).filter((problem) => problem.startsWith('TRUST_ANCHORS'));
    };
    expect(await at(Date.now() + 3 * DAY)).toEqual([expect.stringContaining('the certificate has expired')]);
    expect(await at(Date.now())).toEqual([expect.stringContaining('the certificate expires on')]);
    expect(await at(Date.now() - 3 * DAY)).toEqual([expect.stringContaining('the certificate is not valid before')]);
  });
});

describe('the doctor looks at engines and', () => {
  const relaxed = { ENVIRONMENT: 'test', BASE_URL: '', LOGIN_URL: '', APP_URL: '' };

  it.each([
    ['ESDB_URL', 'esdb://127.0.0.1:1?tls=false'],
    ['KAFKA_BROKERS', '127.0.0.1:1'],
    ['REDIS_URL', 'redis://127.0.0.1:1'],
    ['POSTGRES_URL', 'postgres://user:hunter2@127.0.0.1:1/database'],
  ])(
    'names %s where the engine does not answer',
    async (setting, value) => {
      const found = await problems({ ...relaxed, [setting]: value });
      expect(found).toEqual([`${setting}: the engine does not answer. Check the address, the firewall, and that it runs.`]);
    },
    60_000,
  );

  it('names a file of an engine that cannot be read', async () => {
    const found = await problems({ ...relaxed, REDIS_URL: 'redis://127.0.0.1:1', REDIS_PASSWORD_FILE: join(directory, 'none') });
    expect(found).toEqual([expect.stringMatching(/^REDIS_PASSWORD_FILE names a file that this user cannot read/)]);
  });

  it('names a wrong password of EventStoreDB with the setting to look at, and finds nothing wrong with the right one', async () => {
    const users = await ca.write('users.json', JSON.stringify({ service: { password: 'right', groups: ['$admins'] } }));
    const { certFile, keyFile } = await ca.issue('store');
    await using server = await SpawnedTestServer.start('--tls-certificate', certFile, '--tls-key', keyFile, '--users', users);
    const withPassword = async (password: string) => ({
      ...relaxed,
      ESDB_URL: `esdb://service@localhost:${server.port}`,
      ESDB_CA_FILE: ca.file,
      ESDB_PASSWORD_FILE: await ca.write('password', password),
    });
    expect(others(await problems(await withPassword('right')))).toEqual([]);
    const found = others(await problems(await withPassword('a wrong one')));
    expect(found).toEqual([expect.stringMatching(/^ESDB_URL: the engine refuses the user.*ESDB_PASSWORD_FILE/)]);
    expect(found.join()).not.toContain('a wrong one');
  });

  it.each(DIALECTS)('names the server and its version, of a server of %s', async (dialect) => {
    await using server = await SpawnedTestServer.start('--dialect', dialect);
    const settings = loadPlatformSettings({ ...relaxed, ESDB_URL: server.connectionString, DATA_DIR: directory });
    const note = `${dialect === '26.1' ? 'KurrentDB' : 'EventStoreDB'} ${BEHAVIOURS[dialect].version}`;
    expect(await checkEngines(settings, new SystemClock())).toContainEqual({ subject: 'ESDB_URL', note });
  });

  it('names every engine that accepts connections and never answers', async () => {
    const sockets: Socket[] = [];
    const port = await listen(createTcpServer((socket) => sockets.push(socket)));
    const silent = {
      ESDB_URL: `esdb://127.0.0.1:${port},127.0.0.1:${port}?tls=false`,
      KAFKA_BROKERS: `127.0.0.1:${port}`,
      REDIS_URL: `redis://127.0.0.1:${port}`,
      POSTGRES_URL: `postgres://user:password@127.0.0.1:${port}/database`,
    };
    const findings = await checkEngines(loadPlatformSettings({ ...relaxed, ...silent, DATA_DIR: directory }), new SystemClock(), 50);
    for (const socket of sockets) socket.destroy();
    const problem = 'the engine did not answer in time. Check that it runs, that a cluster has a leader, and that no firewall is in between.';
    expect(findings.map((finding) => finding.problem)).toEqual(Object.keys(silent).map((setting) => `${setting}: ${problem}`));
  });

  it('looks at no engine that is not named', async () => {
    expect(await checkEngines({} as never, new SystemClock())).toEqual([]);
  });
});
