import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { constants, setPriority } from 'node:os';

import { FrameReader, frameOf } from './frames.js';

export interface ChildLimits {
  /** Milliseconds for one question. */
  readonly time: number;
  /** Seconds of processor time for all questions together. The kernel counts them, also when this process is gone. */
  readonly processorTime: number;
  /** Bytes of resident memory. */
  readonly memory: number;
  /** Bytes of one answer. */
  readonly output: number;
}

/** A program for Node, and the files that it may read beside itself. It answers each frame of its standard input by one frame of its standard output. */
export interface ChildProgram {
  readonly path: string;
  readonly reads: readonly string[];
  readonly argument?: string;
}

/** The limit for which a child was killed. `signal`: the kernel ended it, or it broke off itself, as V8 does without memory. */
export type Killed = 'time' | 'memory' | 'output' | 'stopped' | 'signal';

/** The answer, or how the child ended before it. */
export type ChildAnswer = { readonly output: Buffer } | { readonly killed: Killed } | { readonly code: number };

/** How often the memory is looked at, in milliseconds. */
const LOOK_EVERY = 20;
/**
 * A limit by the kernel that holds whatever happens between two looks, in KiB. It counts private memory that may be written to, half a GiB of which V8 reserves
 * for machine code and hardly touches.
 */
const DATA_LIMIT = 768 * 1024;
/** The child is what the shell becomes, and keeps its limits: `$0` is Node. No core file, which would hold a picture. */
const limited = (processorTime: number): string => `ulimit -c 0; ulimit -t ${processorTime}; ulimit -d ${DATA_LIMIT}; exec "$0" "$@"`;

/** The resident memory of a process in bytes. Undefined when it has ended, and where the system has no /proc: the kernel's limit is left there. */
export const residentMemory = (pid: number): number | undefined => {
  try {
    const [, kibibytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1')) ?? [];
    return kibibytes === undefined ? undefined : Number(kibibytes) * 1024;
  } catch {
    return undefined;
  }
};

/** Foreign formats take the processor time that the service leaves. A child that has ended already, or never began, has no priority. */
const yieldProcessor = (pid: number | undefined): void => {
  try {
    if (pid !== undefined) setPriority(pid, constants.priority.PRIORITY_LOW);
  } catch (error) {
    if ((error as { info?: { code?: string } }).info?.code !== 'ESRCH') throw error;
  }
};

/** It may read its own files: not the keys of the service, and it may write no file and start no process. Its environment is empty. */
const start = ({ path, reads, argument = '' }: ChildProgram, { processorTime, memory }: ChildLimits) => {
  const heap = `--max-old-space-size=${Math.ceil(memory / 2 ** 21)}`;
  const permissions = ['--permission', ...[path, ...reads].map((file) => `--allow-fs-read=${file}`)];
  return spawn('/bin/sh', ['-c', limited(processorTime), process.execPath, heap, ...permissions, path, argument], {
    cwd: '/',
    env: {},
    stdio: ['pipe', 'pipe', 'ignore'],
  });
};

/** A child process that answers questions one by one. It is killed at the first limit that it reaches; it does not keep this process alive while it waits. */
export class BoundedChild {
  readonly #child: ReturnType<typeof start>;
  readonly #frames: FrameReader;
  #killed: Killed | undefined;
  #ended: Exclude<ChildAnswer, { output: Buffer }> | undefined;
  #answer: PromiseWithResolvers<ChildAnswer> | undefined;

  /** Starts the child. Throws when the system gives no process. */
  constructor(
    program: ChildProgram,
    private readonly limits: ChildLimits,
    private readonly memoryOf: typeof residentMemory = residentMemory,
  ) {
    this.#child = start(program, limits);
    yieldProcessor(this.#child.pid);
    this.#frames = new FrameReader(limits.output);
    const { stdin, stdout } = this.#child;
    for (const handle of [this.#child, stdin, stdout] as readonly { unref?: () => void }[]) handle.unref?.();
    stdout.on('data', (bytes: Buffer) => this.#read(bytes));
    // A child that ends early reads no further: its end is the answer.
    stdin.on('error', () => undefined);
    this.#child.on('error', (error) => this.#answer?.reject(error));
    this.#child.on('close', (code) => {
      this.#ended = this.#killed || code === null ? { killed: this.#killed ?? 'signal' } : { code };
      this.#answer?.resolve(this.#ended);
    });
  }

  /** Whether it answers no further question. */
  get ended(): boolean {
    return this.#ended !== undefined || this.#killed !== undefined;
  }

  /** One question at a time. Rejects when the child could not be started. */
  async ask(input: Buffer): Promise<ChildAnswer> {
    if (this.#ended) return this.#ended;
    this.#answer = Promise.withResolvers();
    const timer = setTimeout(() => this.#kill('time'), this.limits.time);
    const look = setInterval(() => this.#look(), LOOK_EVERY);
    try {
      this.#child.stdin.write(frameOf(input));
      return await this.#answer.promise;
    } finally {
      clearTimeout(timer);
      clearInterval(look);
      this.#answer = undefined;
    }
  }

  /** Kills the child, and resolves when it has ended. */
  async stop(): Promise<void> {
    const { pid } = this.#child;
    if (this.#ended || pid === undefined) return;
    const closed = once(this.#child, 'close');
    this.#kill('stopped');
    await closed;
  }

  #look(): void {
    const { pid } = this.#child;
    if (pid !== undefined && (this.memoryOf(pid) ?? 0) > this.limits.memory) this.#kill('memory');
  }

  /** An answer without a question, or a longer one than allowed, ends the child too. */
  #read(bytes: Buffer): void {
    if (this.#killed) return;
    const output = this.#frames.read(bytes);
    if (output === 'too long' || !this.#answer) this.#kill('output');
    else if (output) this.#answer.resolve({ output });
  }

  #kill(because: Killed): void {
    this.#killed ??= because;
    this.#child.kill('SIGKILL');
    this.#child.stdout.destroy();
  }
}
