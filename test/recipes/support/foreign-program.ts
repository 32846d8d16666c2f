import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';

export interface ForeignProgramOptions {
  readonly command: readonly [string, ...string[]];
  readonly env?: Readonly<Record<string, string>>;
  /** An address that answers below 500 once the program serves. */
  readonly ready: string;
}

/** A program that is not ours, as a process of this machine. It says nothing of its own failures but in the error of a failed start. */
export class ForeignProgram implements AsyncDisposable {
  private constructor(private readonly child: ChildProcess) {}

  /** Resolves when it serves. Throws with its output when it ends before. */
  static async start({ command: [program, ...args], env = {}, ready }: ForeignProgramOptions): Promise<ForeignProgram> {
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...env } });
    let said = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (said += chunk.toString()));
    const started = new ForeignProgram(child);
    while (!(await serves(ready))) {
      if (started.#isOver) throw new Error(`${program} ended: ${said}`);
      await sleep(200);
    }
    return started;
  }

  get #isOver(): boolean {
    return this.child.exitCode !== null || this.child.signalCode !== null;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#isOver) return;
    const ended = once(this.child, 'exit');
    this.child.kill();
    await ended;
  }
}

const serves = async (address: string): Promise<boolean> => {
  try {
    return (await fetch(address, { redirect: 'manual' })).status < 500;
  } catch {
    return false;
  }
};
