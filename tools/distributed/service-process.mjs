import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const ROOT = resolve(import.meta.dirname, '../..');
const START_TIME = 90_000;

/** One replica of a service: `node dist/apps/<name>/src/main.js` with settings of its own. */
export class ServiceProcess {
  #child;

  constructor({ name, number, port, directory, environment }) {
    this.name = name;
    this.label = `${name}-${number}`;
    this.port = port;
    this.directory = join(directory, this.label);
    this.environment = { ...environment, HOST: '127.0.0.1', PORT: String(port), DATA_DIR: this.directory };
  }

  get url() {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Resolves when it is ready. */
  async start() {
    await mkdir(this.directory, { recursive: true });
    const log = createWriteStream(join(this.directory, 'log'), { flags: 'a' });
    await once(log, 'open');
    this.#child = spawn(process.execPath, [join(ROOT, 'dist/apps', this.name, 'src/main.js')], {
      env: { PATH: process.env.PATH, ...this.environment },
      stdio: ['ignore', log, log],
    });
    for (const giveUp = performance.now() + START_TIME; !(await this.#isReady()); await sleep(50)) {
      if (this.#child.exitCode !== null || performance.now() > giveUp) throw new Error(`${this.label} did not start; see ${join(this.directory, 'log')}`);
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

  async #end(signal) {
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    child.kill(signal);
    await once(child, 'exit');
  }

  async #isReady() {
    return fetch(`${this.url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
  }
}
