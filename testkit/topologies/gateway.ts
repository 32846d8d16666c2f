import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const TEMPLATE = resolve(import.meta.dirname, '../../deploy/nginx/countersign.conf.template');
/** Milliseconds. */
const START_TIME = 60_000;

/** One for each of the service's origins. */
export interface GatewayPorts {
  readonly api: number;
  readonly login: number;
  readonly phone: number;
  readonly portal: number;
}

export interface GatewayOptions {
  readonly directory: string;
  /** The servers of each upstream of the template, by its variable. */
  readonly upstreams: Readonly<Record<string, string>>;
  readonly ports: GatewayPorts;
}

/** nginx as a process of this machine (Debian: apt-get install nginx-light), with the template that the compose file uses. */
export class Gateway {
  readonly #directory: string;
  readonly #variables: Readonly<Record<string, string>>;
  readonly #address: string;
  #child: ChildProcess | undefined;

  constructor({ directory, upstreams, ports }: GatewayOptions) {
    this.#directory = join(directory, 'gateway');
    this.#address = `127.0.0.1:${ports.api}`;
    this.#variables = {
      ...upstreams,
      ACCESS_LOG: join(this.#directory, 'access.log'),
      API_LISTEN: this.#address,
      LOGIN_LISTEN: `127.0.0.1:${ports.login}`,
      PHONE_LISTEN: `127.0.0.1:${ports.phone}`,
      PORTAL_LISTEN: `127.0.0.1:${ports.portal}`,
    };
  }

  async start(): Promise<void> {
    const file = await this.#writeConfiguration();
    const errors = join(this.#directory, 'error.log');
    const child = spawn('nginx', ['-p', this.#directory, '-c', file, '-e', errors, '-g', 'daemon off;'], { stdio: 'inherit' });
    this.#child = child;
    await once(child, 'spawn');
    child.unref();
    for (const giveUpAt = performance.now() + START_TIME; !(await this.#listens()); await sleep(20)) {
      if (child.exitCode !== null || performance.now() > giveUpAt) throw new Error(`the gateway did not start; see ${errors}`);
    }
  }

  async stop(): Promise<void> {
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.ref();
    child.kill('SIGTERM');
    await ended;
  }

  async #writeConfiguration(): Promise<string> {
    await mkdir(this.#directory, { recursive: true });
    const template = await readFile(TEMPLATE, 'utf8');
    const http = template.replaceAll(/\$\{([A-Z_]+)\}/g, (_, name: string) => this.#variable(name));
    const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${join(this.#directory, name)};`);
    // The name of the file ends in .pid: the end of a test run stops the processes that such files name.
    const main = `worker_processes 1; error_log ${join(this.#directory, 'error.log')} warn; pid ${join(this.#directory, 'nginx.pid')};\nevents { worker_connections 2048; }\nhttp {\n${paths.join('\n')}\n${http}\n}\n`;
    const file = join(this.#directory, 'nginx.conf');
    await writeFile(file, main);
    return file;
  }

  #variable(name: string): string {
    const value = this.#variables[name];
    if (value === undefined) throw new Error(`the gateway's template needs ${name}`);
    return value;
  }

  #listens(): Promise<boolean> {
    return fetch(`http://${this.#address}/`, { headers: { connection: 'close' } }).then(
      () => true,
      () => false,
    );
  }
}
