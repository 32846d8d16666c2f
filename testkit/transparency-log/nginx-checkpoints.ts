import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Agent } from 'node:https';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { HttpsPlace } from '#engines/transparency-log';

import type { TestCa } from '../engine-access/test-ca.js';
import { eventually } from '../kernel/eventually.js';
import { reservePort } from '../processes/reserve-port.ts';

const OPERATOR = join(import.meta.dirname, '../../docs/operator.md');

/** A real nginx with the block that docs/operator.md has for a place of checkpoints. */
export class NginxCheckpoints implements AsyncDisposable {
  readonly #folder = mkdtempSync(join(tmpdir(), 'nginx-checkpoints-'));
  #child: ChildProcess | undefined;

  private constructor(
    private readonly ca: TestCa,
    private readonly port: number,
  ) {}

  static async start(ca: TestCa): Promise<NginxCheckpoints> {
    const server = new NginxCheckpoints(ca, await reservePort());
    await server.#configure();
    await server.open();
    return server;
  }

  place(token = 'replace-me'): HttpsPlace {
    return new HttpsPlace({
      name: 'ANCHOR_URL',
      url: `https://localhost:${this.port}/countersign`,
      agent: new Agent({ keepAlive: true }),
      authorization: () => `Bearer ${token}`,
      ca: () => readFileSync(this.ca.file, 'utf8'),
    });
  }

  async open(): Promise<void> {
    this.#child = spawn('nginx', ['-p', this.#folder, '-c', join(this.#folder, 'nginx.conf'), '-e', join(this.#folder, 'error.log')], {
      stdio: 'inherit',
    });
    await once(this.#child, 'spawn');
    await eventually(() => this.#listens(), { what: 'nginx listens' });
  }

  async close(): Promise<void> {
    const child = this.#child;
    if (!child) return;
    this.#child = undefined;
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await ended;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
    rmSync(this.#folder, { recursive: true });
  }

  async #configure(): Promise<void> {
    const { certFile, keyFile } = await this.ca.issue('nginx');
    const [, block = ''] = /```nginx\n(.*?)```/s.exec(readFileSync(OPERATOR, 'utf8')) ?? [];
    mkdirSync(join(this.#folder, 'files'));
    const server = `listen 127.0.0.1:${this.port} ssl; ssl_certificate ${certFile}; ssl_certificate_key ${keyFile};`;
    const paths = ['proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${join(this.#folder, name)};`).join(' ');
    const location = block.replaceAll('/srv/checkpoints', join(this.#folder, 'files'));
    writeFileSync(
      join(this.#folder, 'nginx.conf'),
      `daemon off; master_process off; pid ${join(this.#folder, 'nginx.pid')};
events {}
http { access_log off; ${paths} client_body_temp_path ${join(this.#folder, 'body')};
server { ${server}
${location}
} }
`,
    );
  }

  #listens(): Promise<boolean> {
    return new Promise((resolve) => {
      const socket = connect({ port: this.port, host: '127.0.0.1' });
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
      socket.once('connect', () => socket.destroy());
    });
  }
}
