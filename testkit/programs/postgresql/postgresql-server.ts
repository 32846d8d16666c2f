import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { chmod, chown, copyFile, mkdir, mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

import { endProcess, runningProcess } from '../../processes/process-state.ts';
import { reservePort } from '../../processes/reserve-port.ts';

const run = promisify(execFile);

/** Milliseconds. After a SIGKILL the server first waits for the backends of its predecessor. */
const START_TIME = 90_000;

/** Debian puts the programs of each version below this folder. */
const DEBIAN = '/usr/lib/postgresql';

/** PostgreSQL as a process of this machine (Debian: apt-get install postgresql). It refuses to run as root: then the user `postgres` runs it. */
export class PostgresqlServer {
  readonly #directory: string;
  readonly #port: number;
  /** In a folder of its own if root starts the server: the user `postgres` cannot enter a folder of root. */
  readonly #data: string;

  private constructor(directory: string, port: number, data: string) {
    this.#directory = directory;
    this.#port = port;
    this.#data = data;
  }

  /** Makes a server in an empty directory, or opens the one that is there. Starts nothing. Port 0: a reserved one (see `reservePort`). */
  static async open({ directory, port = 0 }: { readonly directory: string; readonly port?: number }): Promise<PostgresqlServer> {
    const file = join(directory, 'place');
    if (existsSync(file)) {
      const [known = '', data = ''] = (await readFile(file, 'utf8')).split(' ');
      return new PostgresqlServer(directory, Number(known), data);
    }
    await mkdir(directory, { recursive: true });
    const owner = await unprivileged();
    const data = owner.uid === undefined ? join(directory, 'data') : await mkdtemp(join(tmpdir(), 'postgresql-'));
    await mkdir(data, { recursive: true, mode: 0o700 });
    if (owner.uid !== undefined && owner.gid !== undefined) await chown(data, owner.uid, owner.gid);
    await run(
      await program('initdb'),
      ['--pgdata', data, '--username', 'countersign', '--auth', 'trust', '--encoding', 'UTF8', '--no-locale', '--no-sync'],
      {
        ...owner,
        cwd: data,
      },
    );
    const chosen = port === 0 ? await reservePort() : port;
    await writeFile(file, `${chosen} ${data}`);
    return new PostgresqlServer(directory, chosen, data);
  }

  /** For POSTGRES_URL. */
  get url(): string {
    return `postgres://countersign@127.0.0.1:${this.#port}/postgres`;
  }

  /** Starts it if it does not run, and resolves when it serves. It outlives this process. */
  async start(): Promise<void> {
    if (await runningProcess(this.#pidFile)) return;
    for (const giveUpAt = performance.now() + START_TIME; !(await this.#tryToStart(giveUpAt)); await sleep(200)) {
      if (performance.now() > giveUpAt) throw new Error(`PostgreSQL did not start:\n${await readFile(join(this.#directory, 'out'), 'utf8')}`);
    }
  }

  /** SIGTERM lets connections end by themselves, so this is SIGINT's fast way: they are ended, and everything is written. */
  async stop(): Promise<void> {
    const pid = await runningProcess(this.#pidFile);
    if (pid !== undefined) process.kill(pid, 'SIGINT');
    await endProcess(this.#pidFile, 'SIGTERM');
  }

  /** SIGKILL. */
  kill(): Promise<void> {
    return endProcess(this.#pidFile, 'SIGKILL');
  }

  async remove(): Promise<void> {
    await this.kill();
    await rm(this.#data, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    await rm(this.#directory, { recursive: true, force: true });
  }

  /** Gives it a certificate, before the start or before `pg_reload_conf()`. Over TLS users need their passwords; without it they do not. */
  async secure(certFile: string, keyFile: string): Promise<void> {
    for (const [name, file] of [
      ['server.crt', certFile],
      ['server.key', keyFile],
    ] as const)
      await this.#give(name, () => copyFile(file, join(this.#data, name)));
    const rules = 'hostssl all all 127.0.0.1/32 scram-sha-256\nhostnossl all all 127.0.0.1/32 trust\n';
    await this.#give('pg_hba.conf', () => writeFile(join(this.#data, 'pg_hba.conf'), rules));
  }

  /** The server takes a key from its own user only. */
  async #give(name: string, write: () => Promise<void>): Promise<void> {
    const { uid, gid } = await unprivileged();
    await write();
    await chmod(join(this.#data, name), 0o600);
    if (uid !== undefined && gid !== undefined) await chown(join(this.#data, name), uid, gid);
  }

  /** False when the process has ended, as it does while the backends of a killed predecessor still live. */
  async #tryToStart(giveUpAt: number): Promise<boolean> {
    await using output = await open(join(this.#directory, 'out'), 'w');
    const settings = {
      port: this.#port,
      listen_addresses: '127.0.0.1',
      unix_socket_directories: '',
      max_connections: 200,
      ...(existsSync(join(this.#data, 'server.crt')) && { ssl: 'on' }),
    };
    const child = spawn(
      await program('postgres'),
      ['-D', this.#data, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])],
      { detached: true, cwd: this.#data, stdio: ['ignore', output.fd, output.fd], ...(await unprivileged()) },
    );
    await once(child, 'spawn');
    child.unref();
    await writeFile(this.#pidFile, String(child.pid));
    for (; !(await this.#serves()); await sleep(50)) if (child.exitCode !== null || performance.now() > giveUpAt) return false;
    return true;
  }

  async #serves(): Promise<boolean> {
    return run(await program('pg_isready'), ['--host', '127.0.0.1', '--port', String(this.#port)]).then(
      () => true,
      () => false,
    );
  }

  get #pidFile(): string {
    return join(this.#directory, 'postgresql.pid');
  }
}

/** The newest version's program of that name. */
const program = async (name: string): Promise<string> => {
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).sort((one, other) => Number(other) - Number(one)) : [];
  const [version] = versions.filter((each) => existsSync(join(DEBIAN, each, 'bin', name)));
  return version === undefined ? name : join(DEBIAN, version, 'bin', name);
};

/** The user that runs the server if this process is root. */
const unprivileged = async (): Promise<{ readonly uid?: number; readonly gid?: number }> => {
  if (process.getuid?.() !== 0) return {};
  const number = async (option: string): Promise<number> => Number((await run('id', [option, 'postgres'])).stdout);
  return { uid: await number('-u'), gid: await number('-g') };
};
