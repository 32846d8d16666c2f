import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';

import { runDirectory } from './run-directory.js';
import { secret } from './secrets.js';
import { pause, Service } from './service.js';

const MAIN = resolve('dist/apps/standalone/src/main.js');

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

  get pid(): number | undefined {
    return this.#child?.pid;
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
        ...givenEventStore(),
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

/** With ESDB_URL all processes of a run are on that server: what one has sealed the others must be able to open. */
export const givenEventStore = (): Record<string, string> => {
  const { ESDB_URL } = process.env;
  return ESDB_URL ? { ESDB_URL, KEY_DIR: join(runDirectory(), 'keys') } : {};
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
