import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

import { reservePort } from '../../testkit/processes/reserve-port.ts';
import { STANDALONE_FLAGS } from '../../testkit/processes/standalone-flags.ts';
import { processorSeconds } from './processor-time.js';

interface Start {
  /** Default: this process' directory. */
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Answers 200 once the server is ready. */
  readonly ready: string;
  /** Milliseconds until then. Default: 30,000. */
  readonly timeLimit?: number;
}

export interface ServerOptions extends Start {
  /** Of the built file. */
  readonly main: string;
  /** Node's own flags, beside {@link STANDALONE_FLAGS}. */
  readonly flags?: readonly string[];
  /** Of another release. Default: {@link STANDALONE_FLAGS}. */
  readonly startFlags?: readonly string[];
}

export interface ProgramOptions extends Start {
  /** The program and its arguments. A script must end by `exec`, so that the server's process is the one that is measured. */
  readonly command: readonly [string, ...string[]];
  /** The environment's variable that the program takes its port from. */
  readonly portVariable: string;
}

const TIME_LIMIT = 30_000;

/** What a load needs of the service that it measures: one process or several. */
export interface Measured {
  readonly url: string;
  /** Seconds of processor time that the service has used so far, or undefined where the system does not say (only Linux does). */
  cpuSeconds(): number | undefined;
}

/** A process to be measured. Its output is thrown away. */
export class Server implements Measured {
  private constructor(
    private readonly child: ChildProcess,
    readonly url: string,
  ) {}

  /** A program of this Node. */
  static start({ main, flags = [], startFlags = STANDALONE_FLAGS, ...start }: ServerOptions): Promise<Server> {
    return Server.run({ command: [process.execPath, ...startFlags, ...flags, main], portVariable: 'PORT', ...start });
  }

  /** Any program that serves on 127.0.0.1. */
  static async run({ command: [program, ...args], portVariable, cwd, env = {}, ready, timeLimit = TIME_LIMIT }: ProgramOptions): Promise<Server> {
    const port = await reservePort();
    const child = spawn(program, args, {
      ...(cwd !== undefined && { cwd }),
      env: { PATH: process.env['PATH'], ...env, [portVariable]: String(port) },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const server = new Server(child, `http://127.0.0.1:${port}`);
    await server.#answers(ready, timeLimit).catch((error: unknown) => {
      child.kill();
      throw error;
    });
    return server;
  }

  get pid(): number {
    return this.child.pid ?? NaN;
  }

  cpuSeconds(): number | undefined {
    return processorSeconds(String(this.child.pid));
  }

  /** The part of that processor time that the main thread has used, which runs JavaScript. */
  mainThreadSeconds(): number | undefined {
    return processorSeconds(`${this.child.pid}/task/${this.child.pid}`);
  }

  /** Bytes of memory that the process holds, or undefined where the system does not say. */
  memory(): number | undefined {
    try {
      const [, kilobytes] = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${this.child.pid}/status`, 'utf8')) ?? [];
      return kilobytes === undefined ? undefined : Number(kilobytes) * 1024;
    } catch {
      return undefined;
    }
  }

  async stop(): Promise<void> {
    if (this.child.exitCode !== null) return;
    const exited = once(this.child, 'exit');
    this.child.kill('SIGTERM');
    await exited;
  }

  async #answers(path: string, timeLimit: number): Promise<void> {
    for (const begin = performance.now(); performance.now() - begin < timeLimit; await pause(50)) {
      if (this.child.exitCode !== null) throw new Error('the server ended before it was ready');
      const response = await fetch(this.url + path).catch(() => undefined);
      if (response?.ok) return;
    }
    throw new Error(`the server was not ready within ${timeLimit} ms`);
  }
}
