import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';

import { SandboxError } from './sandbox-error.js';
import { environmentOfSandbox } from './settings.js';
import { readStart, type StartedAt } from './started-at.js';

/** Milliseconds until a sandbox that says nothing has failed: a busy machine of CI needs seconds. */
const START_TIME = 60_000;
/** Milliseconds after the end of its input until a sandbox that still runs is killed. */
const END_TIME = 10_000;
/** Characters of its log that the error of a failed start shows. */
const SHOWN_OF_LOG = 2_000;

type Child = ChildProcessByStdio<Writable, Readable, Readable>;

/**
 * The program of the sandbox as a process of its own. It ends with its standard input, which ends with this process however that ends, so that
 * nothing is left behind. It keeps this process alive no longer than its own work does.
 */
export class SandboxProgram {
  private constructor(
    private readonly child: Child,
    /** What it said when it was ready. */
    readonly started: StartedAt,
  ) {}

  /** Resolves when it answers requests. `file` is run by the Node of this process. Throws a {@link SandboxError} with the end of its log. */
  static async start(file: string, parameters: readonly string[], startTimeMs = START_TIME): Promise<SandboxProgram> {
    const child = spawn(process.execPath, [file, ...parameters, '--json'], {
      stdio: ['pipe', 'pipe', 'pipe'],
      env: environmentOfSandbox(),
      windowsHide: true,
    });
    // The end of a process that has ended already is no error of the runner.
    child.stdin.on('error', () => undefined);
    try {
      const started = await readStart(child, startTimeMs, SHOWN_OF_LOG);
      release(child);
      return new SandboxProgram(child, started);
    } catch (error) {
      child.kill('SIGKILL');
      throw error instanceof SandboxError ? error : new SandboxError('the sandbox cannot be started', { cause: error });
    }
  }

  /** Ends it, and resolves when it has ended. */
  async stop(): Promise<void> {
    const { child } = this;
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.ref();
    const ended = once(child, 'exit');
    child.stdin.end();
    const killing = setTimeout(() => child.kill('SIGKILL'), END_TIME);
    await ended;
    clearTimeout(killing);
  }
}

/** Lets this process end while the child runs, and throws away what the child says from now on. */
const release = (child: Child): void => {
  child.unref();
  for (const stream of [child.stdin, child.stdout, child.stderr]) (stream as unknown as { unref(): void }).unref();
  child.stdout.resume();
  child.stderr.resume();
};
