import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { Agent, request as httpsRequest } from 'node:https';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';

import { TestCa } from '#testkit/engine-access/test-ca';
import { newAnchorDirectory } from '#testkit/platform/new-anchor-directory';
import { SystemRandomness } from '#kernel';
import { eventually } from '#testkit/kernel/eventually';
import { type Browser, chromium } from 'playwright-core';

import { reservePort } from '../../../testkit/processes/reserve-port.ts';
import { ServiceProcess } from '../../../testkit/processes/service-process.ts';
import { type Answer, type HttpRequest, runDirectory, secret, Service } from '../../support/index.js';
import { Founder } from './founder.js';
import { CHROMIUM, FLAGS } from '../../../testkit/programs/browsers/chromium.ts';
import { runCli } from '../../../testkit/processes/run-cli.ts';

const PRODUCTION = join(import.meta.dirname, '../../../deploy/production');
const TOKEN_BYTES = 32;
const NAMES = ['id.example', 'phone.example', 'portal.example'];

/** One host as docs/operator.md sets it up: the settings and the nginx of deploy/production, keys of its own, TLS by a local CA, and a browser whose profile trusts it. */
export class ProductionHost extends Service implements AsyncDisposable {
  #founder: Founder | undefined;
  /** Neither has enrolled the other's phone: the founder has enrolled both. */
  #colleagues: readonly Founder[] = [];

  private constructor(
    readonly browser: Browser,
    private readonly ca: TestCa,
    private readonly process: ServiceProcess,
    private readonly nginx: ChildProcess,
    private readonly agent: Agent,
    adminToken: string,
  ) {
    super([process.url], 'https://id.example/login', adminToken, 0);
  }

  static async start(): Promise<ProductionHost> {
    const directory = join(runDirectory(), 'production');
    const [ca, port, tlsPort] = [await TestCa.make(), await reservePort(), await reservePort()];
    for (const name of NAMES) await ca.issue(name, { names: [name] });
    const adminToken = secret('admin token', new SystemRandomness().bytes(TOKEN_BYTES).toString('base64url'));
    const process = await startService(directory, port, adminToken);
    const nginx = await startNginx(directory, { ca, port, tlsPort });
    const browser = await trustingBrowser(directory, ca, tlsPort);
    const agent = new Agent({ keepAlive: true, ca: await readFile(ca.file, 'utf8'), servername: 'id.example', host: '127.0.0.1', port: tlsPort });
    const host = new ProductionHost(browser, ca, process, nginx, agent, adminToken);
    await host.found();
    return host;
  }

  /** The path of the certificate of the CA of the three addresses. */
  get localCa(): string {
    return this.ca.file;
  }

  /** Runs a command of the command line on this host. */
  cli(parameters: readonly string[], more: Readonly<Record<string, string>> = {}): Promise<string> {
    return runCli(parameters, { ...this.process.environment, ...more });
  }

  /** The folder of its keys. */
  get keyDirectory(): string {
    return this.process.environment['KEY_DIR'] ?? '';
  }

  /** Starts the service again with further settings, as after a change of countersign.env. */
  async restartWith(settings: Readonly<Record<string, string>>): Promise<void> {
    await this.process.stop();
    this.process.environment = { ...this.process.environment, ...settings };
    await this.process.start();
  }

  /** Runs the command of a unit of deploy/production, as its service's user would, with these words in the place of others. */
  async runUnit(name: string, replaced: Readonly<Record<string, string>>): Promise<string> {
    const unit = await readFile(join(PRODUCTION, 'systemd', name), 'utf8');
    const [, line = ''] = /^ExecStart=\S+ \S+\/cli\/src\/main\.js (.*)$/m.exec(unit) ?? [];
    return this.cli(line.split(' ').map((word) => replaced[word] ?? word));
  }

  /** Two colleagues of the founder, who can accept together what the store has lost. */
  async addColleagues(): Promise<void> {
    const join = (label: string): Promise<Founder> => Founder.join(this, (request) => super.sendUnchecked(request), label);
    this.#colleagues = [await join('night-desk'), await join('day-desk')];
  }

  /** Makes a change of guarded events, and waits for the checkpoint after it. */
  async published(change: () => Promise<void>): Promise<void> {
    const path = join(this.process.environment['ANCHOR_DIR'] ?? '', 'checkpoint');
    const leaves = async (): Promise<number> => Number((await readFile(path, 'utf8')).split('\n')[1]);
    const before = await leaves();
    await change();
    await eventually(async () => (await leaves()) > before, { what: 'a checkpoint' });
  }

  /** Loses the process and puts a backup in the place of its store, by docs/operator.md. Two persons accept the loss of what came after it. */
  async restore(file: string, identityFile: string): Promise<void> {
    await this.process.kill();
    await this.cli(['restore', file, '--identity', identityFile, '--replace']);
    await this.cli(['history', 'accept']);
    await this.process.start();
    for (const colleague of this.#colleagues) await colleague.confirmAsked();
  }

  /** Staff call the service on the host itself, without nginx; relying parties and phones call nginx by TLS. The admin token has led to the founder, who does the rest. */
  override sendUnchecked(request: HttpRequest): Promise<Answer> {
    if (!request.path.startsWith('/admin/')) return this.#byTls(request);
    const byToken = request.headers?.['authorization'] === `Bearer ${this.adminToken}`;
    return this.#founder && byToken ? this.#founder.call(request) : super.sendUnchecked(request);
  }

  /** The first start: a person with every role, by the admin token. */
  async found(): Promise<void> {
    this.#founder = await Founder.join(this, (request) => super.sendUnchecked(request));
  }

  async #byTls({ method, path, headers, json, raw }: HttpRequest): Promise<Answer> {
    const content = json === undefined && raw === undefined ? {} : { 'content-type': 'application/json' };
    const outgoing = httpsRequest({ agent: this.agent, method, path, headers: { host: 'id.example', ...content, ...headers } });
    outgoing.end(json === undefined ? raw : JSON.stringify(json));
    const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage];
    const body = await text(incoming);
    return {
      status: incoming.statusCode ?? 0,
      headers: incoming.headers,
      text: body,
      json: body.startsWith('{') ? (JSON.parse(body) as Record<string, unknown>) : undefined,
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.browser.close();
    this.agent.destroy();
    const ended = once(this.nginx, 'exit');
    this.nginx.kill('SIGTERM');
    await ended;
    await this.process.stop();
    await rm(this.process.environment['ANCHOR_DIR'] ?? '', { recursive: true });
    await this.ca[Symbol.asyncDispose]();
  }
}

const startService = async (directory: string, port: number, adminToken: string): Promise<ServiceProcess> => {
  const lines = (await readFile(join(PRODUCTION, 'countersign.env'), 'utf8')).split('\n').filter((line) => /^[A-Z]/.test(line));
  const settings = Object.fromEntries(lines.map((line) => line.split('=', 2) as [string, string]));
  const keys = join(directory, 'keys');
  await runCli(['keys', 'generate'], { KEY_DIR: keys });
  const process = new ServiceProcess({ name: 'standalone', label: 'production', port, directory, environment: {} });
  // Other than in the file: port and folders of this test, no OPS_PORT, since the process is asked on PORT whether it is ready, and one administrator.
  process.environment = {
    ...settings,
    PORT: String(port),
    INTERNAL_URL: process.url,
    OPS_PORT: '',
    DATA_DIR: process.dataDirectory,
    KEY_DIR: keys,
    ADMIN_TOKEN: adminToken,
    FOUR_EYES: 'false',
    ANCHOR_DIR: await newAnchorDirectory(),
  };
  await process.start();
  return process;
};

interface Nginx {
  readonly ca: TestCa;
  readonly port: number;
  readonly tlsPort: number;
}

/** The file of deploy/production with ports and paths of this test. */
const startNginx = async (directory: string, { ca, port, tlsPort }: Nginx): Promise<ChildProcess> => {
  const folder = join(directory, 'nginx');
  await mkdir(folder, { recursive: true });
  const http = (await readFile(join(PRODUCTION, 'nginx.conf'), 'utf8'))
    .replaceAll('127.0.0.1:3000', `127.0.0.1:${port}`)
    .replaceAll('listen 443 ssl;', `listen 127.0.0.1:${tlsPort} ssl;`)
    .replaceAll('listen 80;', `listen unix:${join(folder, '80.sock')};`)
    .replaceAll(/ *listen \[::\]:.*\n/g, '')
    .replaceAll(/\/etc\/countersign\/tls\/(\S+)\.pem/g, (_, name: string) => join(ca.folder, `${name}.certFile.pem`))
    .replaceAll(/\/etc\/countersign\/tls\/(\S+)\.key/g, (_, name: string) => join(ca.folder, `${name}.keyFile.pem`))
    .replaceAll('/var/log/nginx', folder);
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${join(folder, name)};`);
  const main = `pid ${join(folder, 'nginx.pid')};\nevents {}\nhttp {\n${paths.join('\n')}\n${http}\n}\n`;
  await writeFile(join(folder, 'nginx.conf'), main);
  const child = spawn('nginx', ['-p', folder, '-c', join(folder, 'nginx.conf'), '-e', 'stderr', '-g', 'daemon off;'], { stdio: 'inherit' });
  await once(child, 'spawn');
  return child;
};

/** Chromium takes CAs from the database of its user's home folder. */
const trustingBrowser = async (directory: string, ca: TestCa, tlsPort: number): Promise<Browser> => {
  const home = join(directory, 'home');
  const database = join(home, '.pki/nssdb');
  await mkdir(database, { recursive: true });
  const certutil = (...parameters: string[]) => promisify(execFile)('certutil', ['-d', `sql:${database}`, ...parameters]);
  await certutil('-N', '--empty-password');
  await certutil('-A', '-t', 'C,,', '-n', 'local CA', '-i', ca.file);
  const rules = NAMES.map((name) => `MAP ${name}:443 127.0.0.1:${tlsPort}`);
  return chromium.launch({
    executablePath: CHROMIUM,
    args: [...FLAGS, `--host-resolver-rules=${rules.join(',')}`],
    env: { PATH: process.env['PATH'] ?? '', HOME: home },
  });
};
