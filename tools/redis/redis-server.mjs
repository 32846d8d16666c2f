import { execFileSync, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, open, readFile, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { freePorts } from '../distributed/free-ports.mjs';

const START_TIME = 10_000;

/** Redis as a process of this machine (Debian: apt-get install redis-server), as the job queue wants it: appended to a file each second, and never evicting. */
export class RedisServer {
  constructor(directory, port) {
    this.directory = directory;
    this.port = port;
  }

  /** Makes a server in an empty directory, or takes up the one that is there. Starts nothing. */
  static async open({ directory, port = 0 }) {
    const file = join(directory, 'port');
    if (existsSync(file)) return new RedisServer(directory, Number(await readFile(file, 'utf8')));
    await mkdir(directory, { recursive: true });
    const chosen = port === 0 ? (await freePorts(1))[0] : port;
    await writeFile(file, String(chosen));
    return new RedisServer(directory, chosen);
  }

  /** For REDIS_URL. */
  get url() {
    return `redis://127.0.0.1:${this.port}`;
  }

  /** Starts it if it does not run, and resolves when it serves. It outlives this process. */
  async start() {
    if (await this.#pid()) return;
    await using output = await open(join(this.directory, 'out'), 'w');
    const child = spawn(
      'redis-server',
      ['--port', String(this.port), '--bind', '127.0.0.1', '--dir', this.directory, '--appendonly', 'yes', '--appendfsync', 'everysec', '--maxmemory-policy', 'noeviction', '--save', ''],
      { detached: true, stdio: ['ignore', output.fd, output.fd] },
    );
    await new Promise((started, failed) => child.once('spawn', started).once('error', failed));
    child.unref();
    await writeFile(join(this.directory, 'pid'), String(child.pid));
    for (const giveUp = performance.now() + START_TIME; !(await this.#serves()); await sleep(20)) {
      if (child.exitCode !== null || performance.now() > giveUp) throw new Error(`Redis did not start:\n${await readFile(join(this.directory, 'out'), 'utf8')}`);
    }
  }

  /** SIGTERM. */
  stop() {
    return this.#end('SIGTERM');
  }

  /** SIGKILL. */
  kill() {
    return this.#end('SIGKILL');
  }

  /** Erases everything that a stopped server holds. */
  async wipe() {
    await rm(join(this.directory, 'appendonlydir'), { recursive: true, force: true });
  }

  async remove() {
    await this.kill();
    await rm(this.directory, { recursive: true, force: true });
  }

  async #end(signal) {
    const pid = await this.#pid();
    if (!pid) return;
    process.kill(pid, signal);
    while (isAlive(pid)) await sleep(20);
    await rm(join(this.directory, 'pid'), { force: true });
  }

  async #pid() {
    const pid = Number(await readFile(join(this.directory, 'pid'), 'utf8').catch(() => ''));
    return pid > 0 && isAlive(pid) ? pid : undefined;
  }

  /** Whether it answers, which it does not before it has read its file. */
  #serves() {
    return new Promise((resolve) => {
      const socket = connect(this.port, '127.0.0.1', () => socket.write('PING\r\n'));
      socket.once('data', (data) => resolve(String(data).startsWith('+PONG')) || socket.destroy());
      socket.once('error', () => resolve(false));
    });
  }
}

/** A process that is gone but not yet waited for counts as dead. */
const isAlive = (pid) => {
  try {
    process.kill(pid, 0);
    return !execFileSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' }).trim().startsWith('Z');
  } catch {
    return false;
  }
};
