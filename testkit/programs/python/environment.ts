import { execFileSync } from 'node:child_process';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { TOOLS_CACHE } from '../go/go.ts';

/** An environment of Python for one program, in the user's cache folder. */
export class PythonEnvironment {
  readonly #folder: string;
  readonly #requirements: string;

  /**
   * @param name the folder's name: the program and its version
   * @param requirements the path of a file with every package and its version, as `pip freeze` prints them
   */
  constructor(name: string, requirements: string) {
    this.#folder = join(TOOLS_CACHE, name);
    this.#requirements = requirements;
  }

  /** Whether {@link install} has succeeded on this machine. */
  get installed(): boolean {
    return existsSync(this.#complete);
  }

  /** The path of a program of the environment, such as `python`. */
  program(name: string): string {
    return join(this.#folder, 'bin', name);
  }

  /** Makes the environment, once. Needs Python 3.11 with its module venv. Throws when it cannot be made. */
  install(): void {
    if (this.installed) return;
    rmSync(this.#folder, { recursive: true, force: true });
    const run = (program: string, ...args: readonly string[]) => execFileSync(program, args, { stdio: ['ignore', 'ignore', 'inherit'] });
    run('python3', '-m', 'venv', this.#folder);
    run(this.program('python'), '-m', 'pip', 'install', '--quiet', '--only-binary', ':all:', '--requirement', this.#requirements);
    writeFileSync(this.#complete, '');
  }

  get #complete(): string {
    return join(this.#folder, 'complete');
  }
}
