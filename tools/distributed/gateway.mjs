import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const TEMPLATE = resolve(import.meta.dirname, '../../deploy/nginx/countersign.conf.template');
const START_TIME = 10_000;

/** nginx as a process of this machine (Debian: apt-get install nginx-light), with the template that the compose file uses. */
export class Gateway {
  #child;

  constructor({ directory, upstreams, ports }) {
    this.directory = join(directory, 'gateway');
    this.variables = {
      ...upstreams,
      ACCESS_LOG: join(this.directory, 'access.log'),
      API_LISTEN: `127.0.0.1:${ports.api}`,
      LOGIN_LISTEN: `127.0.0.1:${ports.login}`,
      PHONE_LISTEN: `127.0.0.1:${ports.phone}`,
    };
  }

  async start() {
    await mkdir(this.directory, { recursive: true });
    const template = await readFile(TEMPLATE, 'utf8');
    const http = template.replaceAll(/\$\{([A-Z_]+)\}/g, (_, name) => this.variables[name] ?? failOn(name));
    const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${join(this.directory, name)};`);
    const main = `worker_processes 1; error_log ${join(this.directory, 'error.log')} warn; pid ${join(this.directory, 'pid')};\nevents { worker_connections 2048; }\nhttp {\n${paths.join('\n')}\n${http}\n}\n`;
    const file = join(this.directory, 'nginx.conf');
    await writeFile(file, main);
    this.#child = spawn('nginx', ['-p', this.directory, '-c', file, '-e', join(this.directory, 'error.log'), '-g', 'daemon off;'], { stdio: 'inherit' });
    await once(this.#child, 'spawn');
    for (const giveUp = performance.now() + START_TIME; !(await this.#listens()); await sleep(20)) {
      if (this.#child.exitCode !== null || performance.now() > giveUp) throw new Error(`the gateway did not start; see ${join(this.directory, 'error.log')}`);
    }
  }

  #listens() {
    return fetch(`http://${this.variables.API_LISTEN}/`).then(
      () => true,
      () => false,
    );
  }

  async stop() {
    if (!this.#child || this.#child.exitCode !== null) return;
    this.#child.kill('SIGTERM');
    await once(this.#child, 'exit');
  }
}

const failOn = (name) => {
  throw new Error(`the gateway's template wants ${name}`);
};
