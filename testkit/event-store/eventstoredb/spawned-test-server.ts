import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';

import { TYPESCRIPT_ARGUMENTS } from '#testkit/kernel/typescript-process';

import type { TestServerMessage } from './grpc-test-server.js';

const PROGRAM = join(import.meta.dirname, 'grpc-test-server.ts');
/** The compile cache that all test servers share, so that their code is compiled once. */
const COMPILED = resolve(import.meta.dirname, '../../../.cache/node');

/** The program ended before it listened: by itself, with an exit code, or by a fault. */
export class EndedAtStart extends Error {
  constructor(readonly exitCode: number | null) {
    super(`the gRPC test server ended with ${exitCode} before it listened`);
  }
}

/** The gRPC test server in a process of its own, to be killed, frozen and started again. */
export class SpawnedTestServer {
  private constructor(
    readonly folder: string,
    private child: ChildProcess,
    readonly connectionString: string,
    private readonly options: readonly string[],
  ) {}

  /** With further options of the program. */
  static async start(...options: string[]): Promise<SpawnedTestServer> {
    const folder = await mkdtemp(join(tmpdir(), 'grpc-test-server-'));
    const { child, connectionString } = await spawnServer(folder, '0', options);
    return new SpawnedTestServer(folder, child, connectionString, options);
  }

  get port(): number {
    return Number(new URL(this.connectionString).port);
  }

  /** kill -9, and done when it is dead. */
  kill(): Promise<void> {
    return this.#end('SIGKILL');
  }

  /** SIGTERM. */
  terminate(): Promise<void> {
    return this.#end('SIGTERM');
  }

  /** Starts it again on its port and with its files. Throws {@link EndedAtStart}. */
  async restart(...more: string[]): Promise<void> {
    ({ child: this.child } = await spawnServer(this.folder, String(this.port), [...this.options, ...more]));
  }

  /** {@link restart} after an older copy was put back: newer servers end once, with 0, and are started again. */
  async restartRestored(): Promise<void> {
    try {
      await this.restart();
    } catch (error) {
      if (!(error instanceof EndedAtStart && error.exitCode === 0)) throw error;
      await this.restart();
    }
  }

  freeze(): void {
    this.child.kill('SIGSTOP');
  }

  thaw(): void {
    this.child.kill('SIGCONT');
  }

  async set(message: TestServerMessage): Promise<void> {
    const done = once(this.child, 'message');
    this.child.send(message);
    await done;
  }

  /** Whether any of its files holds the text. */
  async holds(text: string): Promise<boolean> {
    const files = await readdir(this.folder);
    const contents = await Promise.all(files.map((file) => readFile(join(this.folder, file))));
    return contents.some((content) => content.includes(text));
  }

  /** Ends it and removes its files. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
    await rm(this.folder, { recursive: true });
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const exit = once(this.child, 'exit');
    this.child.kill(signal);
    await exit;
  }
}

const spawnServer = async (folder: string, port: string, options: readonly string[]): Promise<{ child: ChildProcess; connectionString: string }> => {
  const child = fork(PROGRAM, ['--port', port, '--data', folder, ...options], {
    execArgv: [...TYPESCRIPT_ARGUMENTS],
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    env: { NODE_COMPILE_CACHE: COMPILED },
  });
  for await (const line of createInterface({ input: child.stdout! })) {
    const connectionString = / on (esdb:\S+)$/.exec(line)?.[1];
    if (connectionString) return { child, connectionString };
  }
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  throw new EndedAtStart(child.exitCode);
};
