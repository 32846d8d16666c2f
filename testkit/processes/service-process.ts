import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { STANDALONE_FLAGS } from './standalone-flags.ts';

const ROOT = resolve(import.meta.dirname, '../..');
/** Milliseconds. Fourteen processes that start at once on two cores take long. */
const START_TIME = 180_000;
/** Characters of the log that the error of a failed start shows. */
const SHOWN_OF_LOG = 2_000;
/**
 * On a developer's machine, stack traces name our own files and lines. In CI they name those of the bundles, which are as readable and hold a comment with the
 * source file above each module: the maps are read at every start, and services start some hundred times there.
 */
const FLAGS = process.env['CI'] ? [] : ['--enable-source-maps'];

export interface ServiceProcessOptions {
  /** The application, as its folder in `apps` is called. */
  readonly name: string;
  /** Names this process among others of the same directory, and its files. Default: the name. */
  readonly label?: string;
  readonly port: number;
  /** Holds `<label>.data`, `<label>.log` and, while the process runs, `<label>.pid`. */
  readonly directory: string;
  readonly environment: Readonly<Record<string, string>>;
}

/** An application as a process, `node dist/services/<name>.js`, with settings of its own. It does not keep the process that started it alive. */
export class ServiceProcess {
  readonly name: string;
  readonly label: string;
  readonly port: number;
  /** Its DATA_DIR. */
  readonly dataDirectory: string;
  /** The file that it writes its log to. */
  readonly log: string;
  /** The settings of the next start, beside HOST, PORT and DATA_DIR. */
  environment: Readonly<Record<string, string>>;
  /** The folder of the release that the next start runs. */
  release = ROOT;
  readonly #pidFile: string;
  #child: ChildProcess | undefined;

  constructor({ name, label = name, port, directory, environment }: ServiceProcessOptions) {
    this.name = name;
    this.label = label;
    this.port = port;
    this.dataDirectory = join(directory, `${label}.data`);
    this.log = join(directory, `${label}.log`);
    this.#pidFile = join(directory, `${label}.pid`);
    this.environment = environment;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** The exit code of its last process; null while that runs, and when a signal ended it. */
  get exitCode(): number | null {
    return this.#child?.exitCode ?? null;
  }

  /** Starts it on the data of its last run, and resolves when it is ready. */
  async start(): Promise<void> {
    const main = join(this.release, 'dist/services', `${this.name}.js`);
    if (!existsSync(main)) throw new Error(`${main} does not exist: run \`npm run build\` first`);
    mkdirSync(this.dataDirectory, { recursive: true });
    const log = openSync(this.log, 'a');
    // Separate services run with V8's defaults, in tests as in the deployments.
    const flags = this.name === 'standalone' ? [...FLAGS, ...STANDALONE_FLAGS] : FLAGS;
    const child = spawn(process.execPath, [...flags, main], {
      // In a process group of its own: a Ctrl-C at the terminal is for the process that started it.
      detached: true,
      // All processes load the same modules: the cache has them compiled once.
      env: {
        PATH: process.env['PATH'],
        NODE_COMPILE_CACHE: join(ROOT, '.cache/node'),
        HOST: '127.0.0.1',
        PORT: String(this.port),
        DATA_DIR: this.dataDirectory,
        OTEL_SERVICE_NAME: this.name,
        ...this.environment,
      },
      stdio: ['ignore', log, log],
    });
    closeSync(log);
    child.unref();
    this.#child = child;
    writeFileSync(this.#pidFile, String(child.pid));
    child.once('exit', () => rmSync(this.#pidFile, { force: true }));
    for (const giveUpAt = performance.now() + START_TIME; !(await this.#isReady()); await sleep(50)) {
      if (this.#hasEnded || performance.now() > giveUpAt) {
        const how = this.#hasEnded ? `did not start and ended with ${this.exitCode ?? 'a signal'}` : 'did not get ready in time';
        throw new Error(`${this.label} ${how}; the end of its log:\n${readFileSync(this.log, 'utf8').slice(-SHOWN_OF_LOG)}`);
      }
    }
  }

  /** SIGTERM: it finishes the requests under way. */
  stop(): Promise<void> {
    return this.#end('SIGTERM');
  }

  kill(): Promise<void> {
    return this.#end('SIGKILL');
  }

  /** SIGSTOP: it keeps its connections and does nothing until {@link resume}. */
  freeze(): void {
    this.#child?.kill('SIGSTOP');
  }

  resume(): void {
    this.#child?.kill('SIGCONT');
  }

  get #hasEnded(): boolean {
    return !this.#child || this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  async #end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    if (!this.#child || this.#hasEnded) return;
    const ended = once(this.#child, 'exit');
    this.#child.ref();
    this.#child.kill(signal);
    await ended;
  }

  async #isReady(): Promise<boolean> {
    // A connection that stays open would be one more for the service to wait for when it ends.
    return fetch(`${this.url}/readyz`, { headers: { connection: 'close' } }).then(
      ({ ok }) => ok,
      () => false,
    );
  }
}
