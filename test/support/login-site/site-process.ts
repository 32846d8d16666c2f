import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { eventually } from '#testkit/kernel/eventually';

import { reservePort } from '../../../testkit/processes/reserve-port.ts';
import { exchange } from '../http.js';
import { runDirectory } from '../run-directory.js';

interface Program {
  readonly name: string;
  readonly folder: string;
  /** Arguments of Node. */
  readonly parameters: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** The server of a relying party, as a process. */
export class SiteProcess implements AsyncDisposable {
  private constructor(
    private readonly child: ChildProcess,
    private readonly log: string,
  ) {}

  /** The address that the next one will have. */
  static async reserve(): Promise<string> {
    return `http://localhost:${await reservePort()}`;
  }

  /** Resolves when it answers. Throws with its output when it ends before. */
  static async start({ name, folder, parameters, environment }: Program, origin: string): Promise<SiteProcess> {
    const path = join(runDirectory(), `${name}.output`);
    const log = openSync(path, 'w');
    const env = { PATH: process.env['PATH'], ...environment };
    const site = new SiteProcess(spawn(process.execPath, parameters, { cwd: folder, env, stdio: ['ignore', log, log] }), path);
    closeSync(log);
    await eventually(() => site.#answers(origin), { what: `the server of ${name} answers`, within: 60_000 });
    return site;
  }

  async #answers(origin: string): Promise<boolean> {
    if (this.child.exitCode !== null) throw new Error(readFileSync(this.log, 'utf8'));
    return exchange(origin, { method: 'GET', path: '/' }).then(
      () => true,
      () => false,
    );
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.child.kill('SIGKILL');
    return Promise.resolve();
  }
}
