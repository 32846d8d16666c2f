import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, renameSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';

import { eventually } from '#testkit/kernel/eventually';

import { runDirectory } from './run-directory.js';

const REPOSITORY = resolve(import.meta.dirname, '../..');
const SDK = join(REPOSITORY, 'libs/clients/relying-party');

export interface ProgramOptions {
  /** `['listen', '--forward-to', …]`. */
  readonly args: readonly string[];
  readonly url: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

/** The program `countersign` of the SDK's package, as a process. */
export class ListeningProgram {
  readonly lines: string[] = [];
  readonly notes: string[] = [];

  private constructor(private readonly child: ChildProcess) {
    if (child.stdout) createInterface({ input: child.stdout }).on('line', (line) => this.lines.push(line));
    if (child.stderr) createInterface({ input: child.stderr }).on('line', (line) => this.notes.push(line));
  }

  /** Starts it, and resolves when it hears of all that happens from then on. */
  static async start({ args, url, clientId, clientSecret }: ProgramOptions): Promise<ListeningProgram> {
    const child = spawn(process.execPath, [compiled(), ...args, '--url', url, '--client-id', clientId], {
      env: { PATH: process.env['PATH'], COUNTERSIGN_CLIENT_SECRET: clientSecret },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const program = new ListeningProgram(child);
    await eventually(() => program.#hasEnded || program.notes.length > 0, { what: 'a line of the program' });
    if (program.#hasEnded) throw new Error(program.notes.join('\n'));
    return program;
  }

  get pid(): number | undefined {
    return this.child.pid;
  }

  /** The secret that it has printed. */
  get secret(): string {
    return (this.lines.find((line) => line.startsWith('webhook secret: ')) ?? '').slice('webhook secret: '.length);
  }

  /** The lines about events, once there are so many. */
  async events(count: number): Promise<readonly string[]> {
    const of = (): readonly string[] => this.lines.filter((line) => !line.startsWith('webhook secret: '));
    await eventually(() => of().length >= count, { what: () => `${count} lines: ${this.lines.join('\n')} ${this.notes.join('\n')}` });
    return of();
  }

  /** Its exit code, once it has ended by itself. */
  async ended(): Promise<number | null> {
    if (!this.#hasEnded) await once(this.child, 'exit');
    return this.child.exitCode;
  }

  /** As Ctrl-C does. Answers the exit code. */
  stop(): Promise<number | null> {
    this.child.kill('SIGINT');
    return this.ended();
  }

  get #hasEnded(): boolean {
    return this.child.exitCode !== null || this.child.signalCode !== null;
  }
}

/** The program as it is published: compiled once for each run. */
const compiled = (): string => {
  const folder = join(runDirectory(), 'countersign-program');
  const program = join(folder, 'clients/relying-party/cli/src/main.js');
  if (existsSync(program)) return program;
  const made = mkdtempSync(join(runDirectory(), 'program-'));
  const tsc = join(REPOSITORY, 'node_modules/typescript7/bin/tsc');
  const { status, stdout } = spawnSync(process.execPath, [tsc, '-p', join(SDK, 'tsconfig.package.json'), '--outDir', made], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`the program does not compile:\n${stdout}`);
  writeFileSync(join(made, 'package.json'), '{ "type": "module" }');
  try {
    renameSync(made, folder);
  } catch {
    // Another test of the run was quicker.
  }
  return program;
};
