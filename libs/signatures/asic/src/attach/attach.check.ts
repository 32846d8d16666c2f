import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { canRun, missingCommands } from '#testkit/pki/foreign-programs';

import { FILE, FILE_NAME, SigningKit } from '#testkit/asic/signing-kit';
import { verifyContainer } from '../verify/verify-container.js';
import { attachFile } from './attach-file.js';

const PYTHON = ['-c', 'import sys, zipfile; zipfile.ZipFile("x.asice", "a").write(sys.argv[1], sys.argv[1])', FILE_NAME];

const describeHere = canRun(missingCommands('python3', 'zip', 'unzip')) ? describe : describe.skip;

describeHere('completing a container', () => {
  let folder: string;
  let kit: SigningKit;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'attach-'));
    kit = await SigningKit.open();
    await writeFile(join(folder, 'x.asice'), await kit.container(kit.sign(await kit.signer())));
    await writeFile(join(folder, FILE_NAME), FILE);
  });
  afterEach(() => rm(folder, { recursive: true }));

  it.each([
    ['zip', ['-X', '-0', '-g', 'x.asice', FILE_NAME]],
    ['python3', PYTHON],
  ] as const)('is done by %s just as well', async (program, args) => {
    const container = join(folder, 'x.asice');
    execFileSync(program, args, { cwd: folder, stdio: 'pipe' });
    expect(await verifyContainer(container, { trust: kit.trust, now: kit.clock.now() })).toMatchObject({ verdict: 'TOTAL_PASSED', findings: [] });
    expect(await attachFile({ container, file: join(folder, FILE_NAME) })).toMatchObject({ changed: false });
  });

  it('gives an archive that other programs read', async () => {
    const container = join(folder, 'x.asice');
    await attachFile({ container, file: join(folder, FILE_NAME) });
    expect(execFileSync('unzip', ['-t', container]).toString()).toContain('No errors detected');
    await rm(join(folder, FILE_NAME));
    execFileSync('python3', ['-m', 'zipfile', '-e', container, folder]);
    expect(await readFile(join(folder, FILE_NAME))).toEqual(FILE);
  });
});
