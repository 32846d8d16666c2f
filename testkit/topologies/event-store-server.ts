import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';

import { reservePort } from '../processes/reserve-port.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const PROGRAM = join(ROOT, 'dist/testkit/event-store/eventstoredb/grpc-test-server.js');

/** An event store server that a topology uses. */
export interface EventStoreServer {
  /** False if the gRPC test server stands in for EventStoreDB. */
  readonly isReal: boolean;
  /** A connection string. */
  readonly url: string;
  /** Starts it if it does not run, and resolves when it serves. */
  start(): Promise<void>;
  /** {@link start} after an older copy was put back: newer servers end once, with exit code 0, and are started again. */
  startRestored(): Promise<void>;
  kill(): Promise<void>;
  /** Ends it, or leaves it as it was found. */
  stop(): Promise<void>;
}

/** The server ended before it listened. */
class EndedAtStart extends Error {
  constructor(readonly exitCode: number | null) {
    super(`the gRPC test server ended with ${exitCode}`);
  }
}

/** The gRPC test server, which stands in for EventStoreDB if none can be installed, as a process that can be killed and started again. */
export class GrpcTestServer implements EventStoreServer {
  readonly isReal = false;
  url = '';
  /** Further options of the program, for its next start. */
  options: readonly string[] = [];
  /** Of all data. */
  readonly folder: string;
  readonly #pidFile: string;
  #port: number | undefined;
  #child: ChildProcess | undefined;

  /** `dialect`: the server that it speaks like, `23.10`, `24.10` or `26.1`. */
  constructor(
    directory: string,
    private readonly dialect = '23.10',
  ) {
    this.folder = join(directory, 'grpc-test-server');
    this.#pidFile = join(directory, 'grpc-test-server.pid');
  }

  async start(): Promise<void> {
    if (this.#runs) return;
    mkdirSync(this.folder, { recursive: true });
    this.#port ??= await reservePort();
    const options = ['--port', String(this.#port), '--data', this.folder, '--dialect', this.dialect, ...this.options];
    const child = spawn(process.execPath, [PROGRAM, ...options], {
      env: { ...process.env, NODE_COMPILE_CACHE: join(ROOT, '.cache/node') },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    this.#child = child;
    writeFileSync(this.#pidFile, String(child.pid));
    child.once('exit', () => rmSync(this.#pidFile, { force: true }));
    const ended = once(child, 'exit').then(([code]) => Promise.reject(new EndedAtStart(code as number | null)));
    const lines = createInterface(child.stdout);
    const [line] = (await Promise.race([once(lines, 'line'), ended])) as [string];
    ended.catch(() => undefined);
    lines.close();
    this.url = line.slice(line.lastIndexOf(' ') + 1);
    child.stdout.destroy();
    child.unref();
  }

  async startRestored(): Promise<void> {
    try {
      await this.start();
    } catch (error) {
      if (!(error instanceof EndedAtStart && error.exitCode === 0)) throw error;
      await this.start();
    }
  }

  /** SIGTERM. */
  stop(): Promise<void> {
    return this.#end('SIGTERM');
  }

  /** SIGKILL. */
  kill(): Promise<void> {
    return this.#end('SIGKILL');
  }

  get #runs(): boolean {
    return this.#child !== undefined && this.#child.exitCode === null && this.#child.signalCode === null;
  }

  async #end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    const child = this.#child;
    if (!child || !this.#runs) return;
    const ended = once(child, 'exit');
    child.ref();
    child.kill(signal);
    await ended;
  }
}

/** An EventStoreDB at ESDB_URL that runs already. Drills end and start it with the shell commands of ESDB_STOP and ESDB_START. */
export class GivenEventStore implements EventStoreServer {
  readonly isReal = true;
  readonly url: string;
  readonly #commands: Readonly<Record<'ESDB_STOP' | 'ESDB_START', string | undefined>>;
  #isUp = true;

  constructor({ ESDB_URL, ESDB_STOP, ESDB_START }: Readonly<Record<string, string | undefined>>) {
    if (!ESDB_URL) throw new Error('ESDB_URL is needed');
    this.url = ESDB_URL;
    this.#commands = { ESDB_STOP, ESDB_START };
  }

  async start(): Promise<void> {
    if (!this.#isUp) await this.#run('ESDB_START');
    this.#isUp = true;
  }

  startRestored(): Promise<void> {
    return this.start();
  }

  async kill(): Promise<void> {
    await this.#run('ESDB_STOP');
    this.#isUp = false;
  }

  stop(): Promise<void> {
    return this.start();
  }

  async #run(name: 'ESDB_STOP' | 'ESDB_START'): Promise<void> {
    const command = this.#commands[name];
    if (!command) throw new Error(`${name}: the shell command is needed, beside ESDB_URL, to drill the loss of the event store`);
    await promisify(execFile)('sh', ['-c', command]);
  }
}
