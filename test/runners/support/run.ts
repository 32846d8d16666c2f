import { type ChildProcess, spawn } from 'node:child_process';

/** Nothing of the Jest that runs this: a runner would take itself for a worker of it. */
const INHERITED = Object.fromEntries(
  ['PATH', 'HOME', 'TMPDIR', 'XDG_CACHE_HOME', 'JAVA_HOME'].flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])),
);

export interface Command {
  readonly words: readonly [string, ...string[]];
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** A process with all that it has said. */
export class Running implements AsyncDisposable {
  readonly child: ChildProcess;
  /** Resolves when the process has ended and nothing holds its output any more. */
  readonly ended: Promise<number | null>;
  output = '';

  constructor({ words: [program, ...args], cwd, env }: Command) {
    this.child = spawn(program, args, {
      cwd,
      env: { ...INHERITED, NO_COLOR: '1', PYTHONDONTWRITEBYTECODE: '1', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [this.child.stdout, this.child.stderr]) stream!.on('data', (chunk: Buffer) => (this.output += chunk.toString()));
    this.ended = new Promise((resolve, reject) => {
      this.child.once('error', reject);
      this.child.once('close', resolve);
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.child.kill('SIGKILL');
    await this.ended;
  }
}

export interface Outcome {
  /** The exit code; null where a signal ended it. */
  readonly status: number | null;
  readonly output: string;
}

/** What a command says, and its exit code. */
export const run = async (command: Command): Promise<Outcome> => {
  const running = new Running(command);
  const status = await running.ended;
  return { status, output: running.output };
};

/** As {@link run}. Throws with the output when the command fails. */
export const succeed = async (command: Command): Promise<string> => {
  const { status, output } = await run(command);
  if (status !== 0) throw new Error(`${command.words.join(' ')} failed:\n${output}`);
  return output;
};
