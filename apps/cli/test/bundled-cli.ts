import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const ROOT = join(import.meta.dirname, '../../..');
/** Packages that the services' bundles leave outside, too (tools/services/bundle-services.ts), and an optional one that is not installed. */
const EXTERNAL = ['reflect-metadata', 'kafkajs', 'pino', '@nestjs/*', 'pg-native', 'pkcs11js'];
/** Packages of the older module format find `require` and their folder. */
const COMMONJS =
  'const require = process.getBuiltinModule("node:module").createRequire(import.meta.url), { filename: __filename, dirname: __dirname } = import.meta;';
/** In a few files: a command that looks for its packages in five hundred files takes twice as long, and one that reads all of them from one file three times. */
const OPTIONS = [
  '--bundle',
  '--splitting',
  '--out-extension:.js=.mjs',
  '--platform=node',
  '--format=esm',
  '--conditions=source',
  '--keep-names',
  '--log-level=error',
  `--banner:js=${COMMONJS}`,
  ...EXTERNAL.map((name) => `--external:${name}`),
];

export interface Outcome {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** The command line, built from its sources. Each command runs in a process of its own, as on an operator's machine. */
export class BundledCli {
  private constructor(private readonly directory: string) {}

  static async build(): Promise<BundledCli> {
    // Inside the repository, so that it finds the packages that it imports.
    const cli = new BundledCli(await mkdtemp(join(ROOT, 'node_modules/.cli-test-')));
    await promisify(execFile)(join(ROOT, 'node_modules/.bin/esbuild'), ['apps/cli/src/main.ts', ...OPTIONS, `--outdir=${cli.directory}`], {
      cwd: ROOT,
    });
    return cli;
  }

  /** Runs a command. It gets this environment, besides PATH and a cache of compiled code, and nothing of the test's own. */
  run(parameters: readonly string[], environment: Readonly<Record<string, string>>, input = ''): Promise<Outcome> {
    return new Promise((resolve) => {
      const env = { PATH: process.env['PATH'] ?? '', NODE_COMPILE_CACHE: join(this.directory, 'compiled'), ...environment };
      const child = execFile(process.execPath, [this.#file, ...parameters], { env }, (error, stdout, stderr) => {
        resolve({ exitCode: error === null ? 0 : Number(error.code), stdout, stderr });
      });
      child.stdin?.end(input);
    });
  }

  remove(): Promise<void> {
    return rm(this.directory, { recursive: true });
  }

  get #file(): string {
    return join(this.directory, 'main.mjs');
  }
}
