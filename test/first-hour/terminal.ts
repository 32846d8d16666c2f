import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The reader's terminals: commands run one after the other, in one folder and one environment, or beside the others until {@link close}. */
export class Terminal {
  readonly #children: ChildProcess[] = [];
  readonly #environment: NodeJS.ProcessEnv = { ...process.env };
  readonly #home: string;
  #folder: string;

  constructor(home: string) {
    this.#home = home;
    this.#folder = home;
  }

  set(name: string, value: string): void {
    this.#environment[name] = value;
  }

  write(file: string, text: string): void {
    writeFileSync(join(this.#folder, file), text);
  }

  /** Runs the commands as a reader would type them, and goes on where they end: in their folder, with what they have exported. Answers what they print. */
  async run(commands: string, folder = this.#folder): Promise<string> {
    const left = join(this.#home, 'left');
    const child = spawn('bash', ['-euo', 'pipefail', '-c', `${commands}\npwd > "${left}"\nprintf %s "\${PACKAGES-}" > "${left}.packages"`], {
      cwd: folder,
      env: this.#environment,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let printed = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (printed += chunk.toString()));
    const [code] = (await once(child, 'close')) as [number | null];
    if (code !== 0) throw new Error(`the page says:\n${commands}\nwhich ended with ${code}:\n${printed}`);
    if (folder === this.#folder) this.#folder = readFileSync(left, 'utf8').trim();
    this.#environment['PACKAGES'] = readFileSync(`${left}.packages`, 'utf8');
    return printed;
  }

  /** Goes back to where the terminal was opened, as a reader opens another one. */
  goHome(): void {
    this.#folder = this.#home;
  }

  /** Runs a program until {@link close}. Resolves with what it has printed once that says that it is ready. */
  async serve(commands: string, ready: RegExp): Promise<string> {
    const child = spawn('bash', ['-euo', 'pipefail', '-c', commands], {
      cwd: this.#folder,
      env: this.#environment,
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true, // a group of its own, so that what npx starts ends with it
    });
    this.#children.push(child);
    let printed = '';
    return new Promise((resolve, reject) => {
      child.once('close', (code) => reject(new Error(`the page says:\n${commands}\nwhich ended with ${code}:\n${printed}`)));
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (chunk: Buffer) => {
          printed += chunk.toString();
          if (ready.test(printed)) resolve(printed);
        });
    });
  }

  /** Ends the program that was begun last. */
  async end(): Promise<void> {
    const child = this.#children.pop();
    if (child?.pid === undefined || child.exitCode !== null) return;
    const ended = once(child, 'exit');
    process.kill(-child.pid, 'SIGTERM');
    await ended;
  }

  async close(): Promise<void> {
    while (this.#children.length > 0) await this.end();
  }
}
