import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';

import { parseVerifier, verifierText } from '#engines/transparency-log';
import { AnchoredStore, SIGNER } from '#testkit/transparency-log/anchored-store';

import { BundledCli, type Outcome } from './bundled-cli.js';

// Each command runs as a process of its own.
jest.setTimeout(120_000);

const KEY = verifierText(SIGNER.verifier);
/** Of the same name, with other bytes. */
const OTHER_KEY = 'countersign/test+3c5f6d7e+AQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA';

let bundled: BundledCli;
let directory: string;
let anchored: AnchoredStore;
let folder: string;

const publish = async (count: number): Promise<void> => {
  await anchored.append('right', 'a', Array<string>(count).fill('GuardedGrant'));
  await anchored.writer().write(new AbortController().signal);
};
/** Without any setting of the service. */
const verify = (...parameters: string[]): Promise<Outcome> => bundled.run(['history', 'verify', ...parameters], {});

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'cli-history-'));
  bundled = await BundledCli.build();
  anchored = new AnchoredStore();
  folder = anchored.folders[0]!;
});
afterAll(async () => {
  await anchored.sqlite.close();
  anchored[Symbol.dispose]();
  await Promise.all([bundled.remove(), rm(directory, { recursive: true })]);
});

describe('history key', () => {
  it('prints the public keys of the service, and nothing that is secret', async () => {
    const environment = { DATA_DIR: directory, ENVIRONMENT: 'test' };
    const { exitCode, stdout } = await bundled.run(['history', 'key'], environment);
    expect(exitCode).toBe(0);
    const texts = stdout.trim().split('\n');
    expect(texts.map((text) => parseVerifier(text).name)).toEqual(['countersign/test']);
    const [secret] = JSON.parse(await readFile(join(directory, 'keys/checkpoint.json'), 'utf8')) as { readonly key: string }[];
    expect(secret!.key.length).toBeGreaterThan(40);
    expect(stdout).not.toContain(secret!.key);
  });
});

describe('history verify', () => {
  it('ends with 5 while nothing was published', async () => {
    expect(await verify(folder, '--key', KEY)).toMatchObject({ exitCode: 5, stderr: `error: nothing was published in ${folder} yet\n` });
  });

  it('needs the public key and the folder alone', async () => {
    await publish(300);
    const { exitCode, stdout } = await verify(folder, '--key', KEY);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(
      /^countersign\/test: 300 events, signed at \d{4}-.*\nThe leaves are those that were signed\.\nIt was compared with no earlier/,
    );
  });

  it('compares with the checkpoints of earlier runs, and keeps the newest one', async () => {
    const keep = join(directory, 'kept');
    await mkdir(keep);
    await writeFile(join(directory, 'keys.txt'), `${KEY}\n`);
    const parameters = [folder, '--key', join(directory, 'keys.txt'), '--keep', keep];
    expect((await verify(...parameters)).exitCode).toBe(0);
    await publish(10);
    expect((await verify(...parameters)).stdout).toContain('Earlier checkpoints: 1. It begins with each of them.');
    expect((await readdir(keep)).toSorted()).toEqual(['checkpoint-300', 'checkpoint-310']);
    const { stdout } = await bundled.run(['--json', 'history', 'verify', ...parameters], {});
    expect(JSON.parse(stdout)).toMatchObject({ origin: 'countersign/test', size: 310, earlier: 2, types: { GuardedGrant: 310 }, acceptedLosses: 0 });
    await copyFile(join(folder, 'checkpoint'), join(directory, 'newest'));
    await copyFile(join(keep, 'checkpoint-300'), join(folder, 'checkpoint'));
    expect(await verify(...parameters)).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('an older copy was put back') });
    expect(await verify(folder, '--key', KEY, '--earlier', join(directory, 'newest'))).toMatchObject({ exitCode: 1 });
    await copyFile(join(directory, 'newest'), join(folder, 'checkpoint'));
    expect((await verify(...parameters)).exitCode).toBe(0);
  });

  it('ends with 1 for a checkpoint of another key, in the folder or kept', async () => {
    const other = await bundled.run(['history', 'key'], { DATA_DIR: directory, ENVIRONMENT: 'test' });
    expect(await verify(folder, '--key', other.stdout.trim())).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('no known key has signed'),
    });
    const forged = join(directory, 'forged');
    await writeFile(forged, (await readFile(join(folder, 'checkpoint'), 'utf8')).replace('\n310\n', '\n300\n'));
    expect(await verify(folder, '--key', KEY, '--earlier', forged)).toMatchObject({ exitCode: 1, stderr: expect.stringContaining(forged) });
  });

  it.each([
    ['no key', () => [folder]],
    ['a key that is none', () => [folder, '--key', OTHER_KEY]],
    ['a file of keys that is not there', () => [folder, '--key', join(directory, 'away')]],
    ['keys of two histories', () => [folder, '--key', KEY, 'PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW']],
    ['a folder that is not there', () => [join(directory, 'away'), '--key', KEY]],
    ['a folder to keep in that is not there', () => [folder, '--key', KEY, '--keep', join(directory, 'away')]],
  ])('ends with 2 for %s', async (_, parameters) => {
    expect(await verify(...parameters())).toMatchObject({ exitCode: 2, stdout: '' });
  });
});
