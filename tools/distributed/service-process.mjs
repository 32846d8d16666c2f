import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const ROOT = resolve(import.meta.dirname, '../..');
const START_TIME = 180_000;

/** One replica of a service: `node dist/apps/<name>/src/main.js` with settings of its own. */
export class ServiceProcess {
  #child;

  constructor({ name, label, port, directory, environment }) {
    this.name = name;
    this.label = label;
    this.port = port;
    this.directory = join(directory, this.label);
    this.log = join(directory, `${this.label}.log`);
    this.configure(environment);
  }

  /** Sets what the next start takes. */
  configure(environment) {
    this.environment = { ...environment, HOST: '127.0.0.1', PORT: String(this.port), DATA_DIR: this.directory };
  }

  get url() {
    return `http://127.0.0.1:${this.port}`;
  }

  /** What its last process ended with: null while that runs, and when a signal ended it. */
  get exitCode() {
    return this.#child?.exitCode ?? null;
  }

  /** Starts it, again on what it left behind, and resolves when it is ready. */
  async start() {
    await mkdir(this.directory, { recursive: true });
    const log = createWriteStream(this.log, { flags: 'a' });
    await once(log, 'open');
    this.#child = spawn(process.execPath, [join(ROOT, 'dist/apps', this.name, 'src/main.js')], {
      // Thirteen processes load the same modules: compiled once, not thirteen times.
      env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: join(ROOT, '.cache/node'), ...this.environment },
      stdio: ['ignore', log, log],
    });
    for (const giveUp = performance.now() + START_TIME; !(await this.#isReady()); await sleep(50)) {
      if (this.#child.exitCode !== null || this.#child.signalCode !== null || performance.now() > giveUp) throw new Error(`${this.label} did not start; see ${this.log}`);
    }
  }

  /** SIGTERM: it finishes what is under way. */
  stop() {
    return this.#end('SIGTERM');
  }

  /** SIGKILL. */
  kill() {
    return this.#end('SIGKILL');
  }

  /** SIGSTOP: it is there, and does nothing, until {@link resume}. */
  freeze() {
    this.#child.kill('SIGSTOP');
  }

  resume() {
    this.#child.kill('SIGCONT');
  }

  async #end(signal) {
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    child.kill(signal);
    await once(child, 'exit');
  }

  async #isReady() {
    // A connection that stays would be one more for the service to wait for when it ends.
    return fetch(`${this.url}/readyz`, { headers: { connection: 'close' } }).then(
      ({ ok }) => ok,
      () => false,
    );
  }
}
