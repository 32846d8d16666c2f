import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';

import { type Answer, exchange, type HttpRequest } from './http.js';
import { runDirectory } from './run-directory.js';
import { secret } from './secrets.js';
import { assertUniversalRules } from './universal-rules.js';

const MAIN = resolve('dist/apps/standalone/src/main.js');

/** The lifetimes of the specification's table "Limits", in seconds; a target with others names them by the same settings. */
export const LIFETIMES = {
  session: Number(process.env['SESSION_TTL'] ?? 120),
  pushSession: Number(process.env['PUSH_SESSION_TTL'] ?? 300),
  code: Number(process.env['CODE_TTL'] ?? 60),
  handoff: Number(process.env['HANDOFF_TTL'] ?? 60),
};

/** What the tests talk to: one process, or several replicas behind one or several addresses. */
export class Service {
  #turn = 0;

  constructor(
    readonly baseUrls: readonly string[],
    readonly loginUrl: string,
    readonly adminToken: string,
    /** How long a read may lag behind a write, in milliseconds: 0 in one process, 1 s over replicas (architecture 3). */
    readonly staleness: number,
  ) {}

  get loginOrigin(): string {
    return new URL(this.loginUrl).origin;
  }

  /** Sends to the replicas in turn, and holds each answer against the universal rules. */
  async send(request: HttpRequest): Promise<Answer> {
    const answer = await this.sendUnchecked(request);
    assertUniversalRules(request, answer);
    return answer;
  }

  sendUnchecked(request: HttpRequest): Promise<Answer> {
    return exchange(this.baseUrls[this.#turn++ % this.baseUrls.length]!, request);
  }
}

/** A standalone process that the suite starts, and may kill. */
export class ServiceProcess extends Service {
  #child: ChildProcess | undefined;

  private constructor(
    readonly name: string,
    private readonly port: number,
    private settings: Readonly<Record<string, string>>,
    adminToken: string,
  ) {
    const url = `http://localhost:${port}`;
    super([url.replace('localhost', '127.0.0.1')], `${url}/login`, adminToken, 0);
  }

  static async start(name: string, settings: Readonly<Record<string, string>> = {}): Promise<ServiceProcess> {
    const token = secret('admin token', randomBytes(24).toString('base64url'));
    const service = new ServiceProcess(name, await freePort(), settings, token);
    await service.restart();
    return service;
  }

  get dataDirectory(): string {
    return join(runDirectory(), `${this.name}.data`);
  }

  /** Starts the process on the data that it left behind, perhaps with other settings, and waits until it is ready. */
  async restart(settings = this.settings): Promise<void> {
    this.settings = settings;
    if (!existsSync(MAIN)) throw new Error('nothing to test: run `npm run build` first');
    mkdirSync(this.dataDirectory, { recursive: true });
    const log = openSync(join(runDirectory(), `${this.name}.log`), 'a');
    const child = spawn(process.execPath, [MAIN], {
      detached: true,
      stdio: ['ignore', log, log],
      env: {
        PATH: process.env['PATH'],
        PORT: String(this.port),
        DATA_DIR: this.dataDirectory,
        ADMIN_TOKEN: this.adminToken,
        DEMO: 'false',
        LOG_LEVEL: 'debug',
        AUTHENTICATION_FAILURE_LIMIT: '1000000',
        ...this.settings,
      },
    });
    closeSync(log);
    child.unref();
    // What is still noted at the end of the run is ended by the global teardown.
    const note = join(runDirectory(), `${this.name}.pid`);
    writeFileSync(note, String(child.pid));
    child.once('exit', () => rmSync(note, { force: true }));
    this.#child = child;
    await this.#ready(child);
  }

  /** SIGKILL: no last words. */
  kill(): Promise<void> {
    return this.#end('SIGKILL');
  }

  stop(): Promise<void> {
    return this.#end('SIGTERM');
  }

  #end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
    return new Promise((done) => {
      child.once('exit', () => done());
      child.kill(signal);
    });
  }

  async #ready(child: ChildProcess): Promise<void> {
    const deadline = Date.now() + 30_000;
    while (Date.now() < deadline) {
      if (child.exitCode !== null) break;
      const answer = await this.sendUnchecked({ method: 'GET', path: '/readyz' }).catch(() => undefined);
      if (answer?.status === 200) return;
      await pause(50);
    }
    const log = readFileSync(join(runDirectory(), `${this.name}.log`), 'utf8');
    throw new Error(`the process is not ready:\n${log.slice(-2000)}`);
  }
}

/** The service of all files that do not move its clock: BASE_URL, or a process started by the first who asks. */
export const sharedService = async (): Promise<Service> => {
  const given = process.env['BASE_URLS'] ?? process.env['BASE_URL'];
  if (given) {
    const token = secret('admin token', required('ADMIN_TOKEN'));
    return new Service(given.split(','), required('LOGIN_URL'), token, Number(process.env['STALENESS_MS'] ?? 1000));
  }
  const note = join(runDirectory(), 'shared.json');
  if (!existsSync(note)) {
    const { baseUrls, loginUrl, adminToken } = await ServiceProcess.start('shared');
    writeFileSync(note, JSON.stringify({ baseUrls, loginUrl, adminToken }));
  }
  const { baseUrls, loginUrl, adminToken } = JSON.parse(readFileSync(note, 'utf8')) as ServiceProcess;
  return new Service(baseUrls, loginUrl, adminToken, 0);
};

/** Whether the suite starts the processes itself: then files may have one of their own, with other settings or a moved clock. */
export const startsProcesses = !(process.env['BASE_URLS'] ?? process.env['BASE_URL']);

export const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

const required = (name: string): string => {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is needed beside BASE_URL`);
  return value;
};

const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
