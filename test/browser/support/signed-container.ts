import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const CLI = join(import.meta.dirname, '../../../dist/apps/cli/src/main.js');
const MANIFEST = 'META-INF/ASiCManifest001.xml';
const SIGNATURE = 'META-INF/signature001.p7s';

const run = async (command: string, ...parameters: readonly string[]): Promise<string> => {
  const { stdout, stderr } = await promisify(execFile)(command, [...parameters]);
  return stdout + stderr;
};

/** A container that a relying party has fetched, judged by the command line and by programs that share no code with it. */
export class SignedContainer {
  constructor(private readonly path: string) {}

  async save(base64: string): Promise<void> {
    await writeFile(this.path, Buffer.from(base64, 'base64'));
  }

  /** Puts the signed file into it: `npm run cli -- attach`. */
  async attach(name: string, content: string): Promise<void> {
    await mkdir(`${this.path}.files`);
    const file = join(`${this.path}.files`, name);
    await writeFile(file, content);
    await run(process.execPath, CLI, 'attach', this.path, file);
  }

  /** The report of `npm run cli -- verify`, with this root trusted. Rejects, with its exit code, when the container is not valid. */
  async verdict(root: string): Promise<unknown> {
    return JSON.parse(await run(process.execPath, CLI, '--json', 'verify', this.path, '--trust', root));
  }

  /** What OpenSSL says of the signature over the manifest. Rejects when it is not valid. */
  async opensslVerdict(root: string): Promise<string> {
    const folder = `${this.path}.entries`;
    await run('unzip', '-q', '-d', folder, this.path, MANIFEST, SIGNATURE);
    const over = ['-inform', 'DER', '-in', join(folder, SIGNATURE), '-content', join(folder, MANIFEST), '-binary'];
    return run('openssl', 'cms', '-verify', '-cades', ...over, '-CAfile', root, '-purpose', 'any', '-out', join(dirname(this.path), 'verified'));
  }

  /** The signed manifest, which names the signed file by its hash. */
  manifest(): Promise<string> {
    return run('unzip', '-p', this.path, MANIFEST);
  }
}
