import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, open, readFile, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { endProcess, runningProcess } from '../../processes/process-state.ts';
import { reservePort } from '../../processes/reserve-port.ts';

/** Milliseconds. */
const START_TIME = 60_000;

export interface RedisServerOptions {
  readonly directory: string;
  /** Default 0: a reserved one (see `reservePort`). */
  readonly port?: number;
  /** Further arguments of `redis-server`. */
  readonly options?: readonly string[];
}

/** Redis as a process of this machine (Debian: apt-get install redis-server), as the job queue needs it: an append-only file that is synchronised each second, and no eviction. */
export class RedisServer {
  readonly #directory: string;
  readonly #port: number;
  readonly #options: readonly string[];

  private constructor(directory: string, port: number, options: readonly string[]) {
    this.#directory = directory;
    this.#port = port;
    this.#options = options;
  }

  /** Makes a server in an empty directory, or opens the one that is there. Starts nothing. */
  static async open({ directory, port = 0, options = [] }: RedisServerOptions): Promise<RedisServer> {
    const file = join(directory, 'port');
    if (existsSync(file)) return new RedisServer(directory, Number(await readFile(file, 'utf8')), options);
    await mkdir(directory, { recursive: true });
    const chosen = port === 0 ? await reservePort() : port;
    await writeFile(file, String(chosen));
    return new RedisServer(directory, chosen, options);
  }

  /** For REDIS_URL. */
  get url(): string {
    return `redis://127.0.0.1:${this.#port}`;
  }

  /** Starts it if it does not run, and resolves when it serves. It outlives this process. */
  async start(): Promise<void> {
    for (const giveUpAt = performance.now() + START_TIME; ; await sleep(50)) {
      try {
        return await this.#start();
      } catch (error) {
        // The kernel may hold the port of a server that was just killed for a moment.
        if (performance.now() > giveUpAt || !String(error).includes('Address already in use')) throw error;
      }
    }
  }

  async #start(): Promise<void> {
    if (await runningProcess(this.#pidFile)) return;
    await using output = await open(join(this.#directory, 'out'), 'w');
    const child = spawn(
      'redis-server',
      [
        '--port',
        String(this.#port),
        '--bind',
        '127.0.0.1',
        '--dir',
        this.#directory,
        '--appendonly',
        'yes',
        '--appendfsync',
        'everysec',
        '--maxmemory-policy',
        'noeviction',
        '--save',
        '',
        ...this.#options,
      ],
      { detached: true, stdio: ['ignore', output.fd, output.fd] },
    );
    await once(child, 'spawn');
    child.unref();
    await writeFile(this.#pidFile, String(child.pid));
    for (const giveUpAt = performance.now() + START_TIME; !(await this.#serves()); await sleep(20)) {
      if (child.exitCode !== null || performance.now() > giveUpAt)
        throw new Error(`Redis did not start:\n${await readFile(join(this.#directory, 'out'), 'utf8')}`);
    }
  }

  /** SIGTERM. */
  stop(): Promise<void> {
    return endProcess(this.#pidFile, 'SIGTERM');
  }

  /** SIGKILL. */
  kill(): Promise<void> {
    return endProcess(this.#pidFile, 'SIGKILL');
  }

  /** Erases everything that a stopped server holds. */
  async wipe(): Promise<void> {
    await rm(join(this.#directory, 'appendonlydir'), { recursive: true, force: true });
  }

  async remove(): Promise<void> {
    await this.kill();
    await rm(this.#directory, { recursive: true, force: true });
  }

  get #pidFile(): string {
    return join(this.#directory, 'redis.pid');
  }

  /** Whether it answers, which it does not before it has read its file. */
  #serves(): Promise<boolean> {
    return new Promise((resolve) => {
      const socket = connect(this.#port, '127.0.0.1', () => socket.write('PING\r\n'));
      socket.once('data', (data) => {
        resolve(String(data).startsWith('+PONG'));
        socket.destroy();
      });
      socket.once('error', () => resolve(false));
    });
  }
}
