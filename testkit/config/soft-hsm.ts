import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { SHARE_ENV, Worker } from 'node:worker_threads';

const run = promisify(execFile);

const MODULE = '/usr/lib/softhsm/libsofthsm2.so';

/** Whether tests with a token run here: Debian's softhsm2. In CI they always run. */
export const hasSoftHsm = Boolean(process.env['CI']) || existsSync(MODULE);

/** SoftHSM 2 with a folder of tokens of its own. Of several in one process the newest is used. */
export class SoftHsm {
  private constructor(private readonly folder: string) {}

  static async make(): Promise<SoftHsm> {
    const hsm = new SoftHsm(await mkdtemp(join(tmpdir(), 'softhsm-')));
    // Jest gives tests a copy of the environment; the library reads that of the process, which a worker can share.
    const set = 'process.env.SOFTHSM2_CONF = require("node:worker_threads").workerData';
    await once(new Worker(set, { eval: true, env: SHARE_ENV, workerData: hsm.configuration }), 'exit');
    await mkdir(join(hsm.folder, 'tokens'));
    await writeFile(hsm.configuration, `directories.tokendir = ${join(hsm.folder, 'tokens')}\nlog.level = ERROR\n`);
    return hsm;
  }

  /** For SOFTHSM2_CONF of other processes. */
  get configuration(): string {
    return join(this.folder, 'softhsm2.conf');
  }

  /** The settings for a new token. Its PIN is in the file. */
  async token(label: string, pin = 'pin-of-the-test'): Promise<Record<'PKCS11_MODULE' | 'PKCS11_TOKEN' | 'PKCS11_PIN_FILE', string>> {
    const env = { ...process.env, SOFTHSM2_CONF: this.configuration };
    await run('softhsm2-util', ['--init-token', '--free', '--label', label, '--so-pin', 'so-pin-of-the-test', '--pin', pin], { env });
    return { PKCS11_MODULE: MODULE, PKCS11_TOKEN: label, PKCS11_PIN_FILE: await this.write('pin', `${pin}\n`) };
  }

  async write(name: string, content: string): Promise<string> {
    const path = join(this.folder, name);
    await writeFile(path, content, { mode: 0o600 });
    return path;
  }

  async remove(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true });
  }
}
