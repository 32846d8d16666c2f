import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { hasSoftHsm, SoftHsm } from '#testkit/config/soft-hsm';
import { KEY_FILES } from '#service/config';
import { examine } from '#service/platform';

import { BundledCli } from './bundled-cli.js';

(hasSoftHsm ? describe : describe.skip)('countersign keys, with a token (SoftHSM)', () => {
  let cli: BundledCli;
  let hsm: SoftHsm;
  let directory: string;
  let environment: Record<string, string>;

  beforeAll(async () => {
    [cli, hsm, directory] = await Promise.all([BundledCli.build(), SoftHsm.make(), mkdtemp(join(tmpdir(), 'key-wrapping-'))]);
    environment = { DATA_DIR: directory, SOFTHSM2_CONF: hsm.configuration, ...(await hsm.token('of this test')) };
  });
  afterAll(async () => {
    await rm(directory, { recursive: true });
    await Promise.all([cli.remove(), hsm.remove()]);
  });

  const keys = (parameters: readonly string[], more: Readonly<Record<string, string>> = {}) =>
    cli.run(['keys', ...parameters], { ...environment, ...more });
  const findings = async (more: Readonly<Record<string, string>> = {}) =>
    (await examine({ ...environment, ...more })).flatMap(({ subject, problem }) => (subject === 'KEY_DIR' && problem ? [problem] : []));

  it('are made in clear, wrapped, listed, and copied in clear by the steps of docs/operator.md', async () => {
    const inClear = { PKCS11_MODULE: '', PKCS11_TOKEN: '', PKCS11_PIN_FILE: '' };
    expect(await keys(['generate'], inClear)).toMatchObject({ exitCode: 0 });
    const before = await keys(['list'], inClear);
    expect(await keys(['make-wrapping-key'])).toMatchObject({ exitCode: 0, stdout: 'The token "of this test" has the key "countersign".\n' });
    expect(await keys(['wrap'])).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining('token, pin, data, event, checkpoint, index, subject'),
    });
    expect(await keys(['list'])).toEqual(before);
    expect(JSON.parse(await readFile(join(directory, 'keys/token.json'), 'utf8'))).toEqual({ wrapped: expect.any(String) });
    const medium = join(directory, 'medium');
    expect(await keys(['unwrap', '--to', medium])).toMatchObject({ exitCode: 0 });
    expect((await readdir(medium)).toSorted()).toEqual(KEY_FILES.map((name) => `${name}.json`).toSorted());
    expect(await findings()).toEqual([]);
  });

  it('the doctor and each command name the setting of a token that does not open them, in one line', async () => {
    const wrong = { PKCS11_PIN_FILE: await hsm.write('wrong', 'wrong') };
    const refusal = /^PKCS11_PIN_FILE: the token "of this test" refuses the PIN\. .*\.$/;
    expect(await findings(wrong)).toEqual([expect.stringMatching(refusal)]);
    const { exitCode, stderr } = await keys(['list'], wrong);
    expect(exitCode).toBe(1);
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect(stderr).toContain('refuses the PIN');
    expect(await findings({ PKCS11_TOKEN: 'away' })).toEqual([expect.stringMatching(/^PKCS11_TOKEN: there is no token "away"/)]);
  });

  it('a part of the settings is a wrong use', async () => {
    expect(await keys(['wrap'], { PKCS11_TOKEN: '' })).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('belong together') });
  });
});
