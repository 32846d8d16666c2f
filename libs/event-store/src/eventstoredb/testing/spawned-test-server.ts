import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

import type { FaultSettings } from './grpc-test-server/faults.js';

// Lets Node run our TypeScript as it is: types are taken out, and `./x.js` means `./x.ts`.
const HOOK = `data:text/javascript,import { registerHooks } from 'node:module';
registerHooks({ resolve: (specifier, context, next) =>
  next(context.parentURL?.endsWith('.ts') && specifier.startsWith('.') ? specifier.replace(/js$/, 'ts') : specifier, context) });`;
const ARGUMENTS = ['--experimental-transform-types', '--disable-warning=ExperimentalWarning', '--conditions=source', '--import', HOOK.replaceAll('\n', '')];
const PROGRAM = join(import.meta.dirname, 'grpc-test-server.ts');

/** The gRPC test server in a process of its own, to be killed, frozen and started again. */
export class SpawnedTestServer {
  private constructor(
    private readonly folder: string,
    private child: ChildProcess,
    readonly connectionString: string,
  ) {}

  static async start(): Promise<SpawnedTestServer> {
    const folder = await mkdtemp(join(tmpdir(), 'grpc-test-server-'));
    const { child, connectionString } = await spawnServer(folder, '0');
    return new SpawnedTestServer(folder, child, connectionString);
  }

  /** kill -9, and done when it is dead. */
  kill(): Promise<void> {
    return this.#end('SIGKILL');
  }

  /** SIGTERM. */
  terminate(): Promise<void> {
    return this.#end('SIGTERM');
  }

  /** Starts it again where it was, with what it had on disk. */
  async restart(): Promise<void> {
    ({ child: this.child } = await spawnServer(this.folder, new URL(this.connectionString).port));
  }

  freeze(): void {
    this.child.kill('SIGSTOP');
  }

  thaw(): void {
    this.child.kill('SIGCONT');
  }

  async set(faults: FaultSettings): Promise<void> {
    const done = once(this.child, 'message');
    this.child.send(faults);
    await done;
  }

  /** Ends it and removes what it kept. */
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

const spawnServer = async (folder: string, port: string): Promise<{ child: ChildProcess; connectionString: string }> => {
  const child = fork(PROGRAM, ['--port', port, '--data', folder], { execArgv: ARGUMENTS, stdio: ['ignore', 'pipe', 'inherit', 'ipc'], env: {} });
  for await (const line of createInterface({ input: child.stdout! })) {
    const connectionString = / on (esdb:\S+)$/.exec(line)?.[1];
    if (connectionString) return { child, connectionString };
  }
  throw new Error('the gRPC test server ended before it listened');
};
