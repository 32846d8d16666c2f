import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import { createInterface } from 'node:readline';

import { processorSeconds } from '../processor-time.js';

export const CALLBACK = 'http://localhost:5173/callback';

/** What the sandbox took until it printed that it answers requests. */
export interface Readiness {
  readonly milliseconds: number;
  readonly processorMilliseconds: number;
  /** Bytes of memory that the process held, its own and those that it shares with others, such as the program file of Node. */
  readonly memory: number;
}

interface Printed {
  readonly url: string;
  readonly clients: readonly [{ readonly clientId: string; readonly clientSecret: string }];
}

/** A sandbox that this process has started from its installed package. */
export class StartedSandbox {
  private constructor(
    private readonly child: ChildProcessByStdio<Writable, Readable, null>,
    readonly printed: Printed,
    readonly readiness: Readiness,
  ) {}

  /** `program`: the file that the package calls by its name. */
  static async start(program: string): Promise<StartedSandbox> {
    const began = performance.now();
    const parameters = [program, '--port', '0', '--json', '--client', CALLBACK, '--until-stdin-ends'];
    const child = spawn(process.execPath, parameters, { stdio: ['pipe', 'pipe', 'inherit'], env: { PATH: process.env['PATH'] } });
    const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
    const milliseconds = performance.now() - began;
    const pid = child.pid ?? NaN;
    const processorMilliseconds = (processorSeconds(String(pid)) ?? NaN) * 1_000;
    return new StartedSandbox(child, JSON.parse(line) as Printed, { milliseconds, processorMilliseconds, memory: memoryOf(pid) });
  }

  /** Bytes. */
  memory(): number {
    return memoryOf(this.child.pid ?? NaN);
  }

  async stop(): Promise<void> {
    const ended = once(this.child, 'exit');
    this.child.stdin.end();
    await ended;
  }
}

const memoryOf = (pid: number): number => {
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) * 1024;
};
