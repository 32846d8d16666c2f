import { mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { SystemRandomness } from '#kernel';
import { FixedClock } from '#testkit/kernel/fixed-clock';
import { CapturedLog } from '#testkit/engine-access/captured-log';
import { SilentLog } from '#telemetry';

import { KeyDirectory } from '../key-directory.js';
import { KEY_FILES } from '../key-file-names.js';
import { findRetirableKey, generateKeyFiles, listKeys, removeKey, rotateKey } from '../key-files.js';
import { InvalidSettings } from '../load-settings.js';
import { rotateSubjectKey } from '../rotate-subject-key.js';
import { hasSoftHsm, SoftHsm } from '#testkit/config/soft-hsm';
import { exportClearKeys, wrapKeyFiles } from '../wrap-key-files.js';
import { keySealOf, tokenOf } from './pkcs11-seal.js';
import type { TokenSettings } from './token-settings.js';

const DAY = 86_400_000;

(hasSoftHsm ? describe : describe.skip)('key files that a token wraps (SoftHSM)', () => {
  const randomness = new SystemRandomness();
  let clock: FixedClock;
  let hsm: SoftHsm;
  let token: Required<{ [Name in keyof TokenSettings]: string }>;
  let path: string;

  beforeAll(async () => {
    hsm = await SoftHsm.make();
    const { PKCS11_MODULE, PKCS11_TOKEN, PKCS11_PIN_FILE } = await hsm.token('countersign');
    token = { pkcs11Module: PKCS11_MODULE, pkcs11Token: PKCS11_TOKEN, pkcs11Key: 'countersign', pkcs11PinFile: PKCS11_PIN_FILE };
    await tokenOf(token)?.makeKey();
  });
  afterAll(() => hsm.remove());
  beforeEach(async () => {
    clock = new FixedClock();
    path = await mkdtemp(join(tmpdir(), 'wrapped-keys-'));
  });
  afterEach(() => rm(path, { recursive: true }));

  const sealBy = (more: TokenSettings = {}) => keySealOf({ ...token, ...more }, randomness);
  const tools = (more?: TokenSettings) => ({ clock, randomness, seal: sealBy(more) });
  const generate = () => generateKeyFiles(path, tools());
  const open = (more?: TokenSettings, log = new SilentLog()) => KeyDirectory.open({ path, log, guarded: true, ...tools(more) });
  const refusals = async (more?: TokenSettings): Promise<readonly string[]> => {
    try {
      (await open(more))[Symbol.dispose]();
      return [];
    } catch (error) {
      if (error instanceof InvalidSettings) return error.problems;
      throw error;
    }
  };
  const contents = async () =>
    new Map(await Promise.all((await readdir(path)).map(async (name) => [name, await readFile(join(path, name), 'utf8')] as const)));
  /** Every key in clear, as a file in clear would hold it. */
  const clearKeys = async (): Promise<readonly string[]> => {
    const texts = await Promise.all(KEY_FILES.map(async (name) => sealBy().unseal(name, await readFile(join(path, `${name}.json`), 'utf8'))));
    return texts.flatMap((text) => (JSON.parse(text) as { key: string }[]).map(({ key }) => key));
  };

  it('are made wrapped, and no key lies on the disk', async () => {
    expect(await generate()).toEqual([...KEY_FILES]);
    const keys = await clearKeys();
    expect(keys).toHaveLength(KEY_FILES.length);
    for (const [, content] of await contents())
      for (const key of keys) {
        expect(content).not.toContain(key);
        expect(Buffer.from((JSON.parse(content) as { wrapped: string }).wrapped, 'base64').includes(Buffer.from(key, 'base64'))).toBe(false);
      }
  });

  it('are unwrapped at the start to the keys that were wrapped', async () => {
    await generateKeyFiles(path, { clock, randomness });
    const before = await listKeys(path, { clock });
    expect(await wrapKeyFiles(path, sealBy())).toEqual([...KEY_FILES]);
    expect(await wrapKeyFiles(path, sealBy())).toEqual([]);
    expect(await listKeys(path, tools())).toEqual(before);
    expect(await readdir(path)).toHaveLength(KEY_FILES.length);
    using keys = await open();
    expect(keys.token.current().id).toBe(before.find(({ file }) => file === 'token')?.id);
  });

  it('are rotated and retired without being in clear, and running services read them again', async () => {
    await generate();
    using keys = await open();
    const former = keys.token.current();
    const { id } = await rotateKey(path, 'token', tools());
    await keys.reread();
    clock.advance(600_000);
    expect(keys.token.current().id).toBe(id);
    const key = await findRetirableKey(path, 'token', former.id, tools());
    await removeKey(path, key, sealBy());
    const [next] = await rotateSubjectKey(path, { until: clock.now() + 10 * DAY }, tools());
    await keys.reread();
    expect(keys.token.find(former.id)).toBeUndefined();
    expect(keys.subject.all().map((one) => one.id)).toContain(next?.id);
    const clear = await clearKeys();
    for (const [, content] of await contents()) for (const one of clear) expect(content).not.toContain(one);
  });

  it('stay in use without the token once they are read', async () => {
    await generate();
    const pinFile = await hsm.write('pin-that-goes', 'pin-of-the-test');
    const log = new CapturedLog();
    using keys = await open({ pkcs11PinFile: pinFile }, log as never);
    await rm(pinFile);
    await keys.reread();
    expect(log.text).toBe('');
  });

  it('are copied in clear into an empty folder only', async () => {
    await generate();
    const target = join(path, 'medium');
    expect(await exportClearKeys(path, target, sealBy())).toEqual([...KEY_FILES]);
    expect(await listKeys(target, { clock })).toEqual(await listKeys(path, tools()));
    await expect(exportClearKeys(path, target, sealBy())).rejects.toThrow('cannot be written (EEXIST): name an empty folder');
  });

  describe('refuse a start in one line', () => {
    beforeEach(generate);

    it('with a wrong PIN, which is tried once and never printed', async () => {
      const pinFile = await hsm.write('wrong', 'not-the-pin');
      const [line, ...others] = await refusals({ pkcs11PinFile: pinFile });
      expect(line).toMatch(/^PKCS11_PIN_FILE: the token "countersign" refuses the PIN\. Put the PIN .*\.$/);
      expect(line).not.toContain('not-the-pin');
      expect(others).toEqual([]);
    });

    it('without the file of the PIN', async () => {
      expect(await refusals({ pkcs11PinFile: '/nowhere/pin' })).toEqual([
        'PKCS11_PIN_FILE names a file that this user cannot read (ENOENT). Set it to the file with the PIN.',
      ]);
    });

    it('without the token', async () => {
      expect(await refusals({ pkcs11Token: 'away' })).toEqual([
        'PKCS11_TOKEN: there is no token "away". Connect it, or set PKCS11_TOKEN to its label.',
      ]);
    });

    it('without the key', async () => {
      expect(await refusals({ pkcs11Key: 'other' })).toEqual([
        expect.stringMatching(/^PKCS11_KEY: the token "countersign" has no AES key of this label\. Set/),
      ]);
    });

    it('without the library', async () => {
      expect(await refusals({ pkcs11Module: '/nowhere/module.so' })).toEqual([
        'PKCS11_MODULE names a file that cannot be loaded. Set it to the PKCS#11 library of the token, for this kind of machine.',
      ]);
    });

    it('with a file that is no PKCS#11 library', async () => {
      expect(await refusals({ pkcs11Module: await hsm.write('text.so', 'text') })).toHaveLength(1);
    });

    it('under another key of the same label', async () => {
      const other = await hsm.token('second');
      await tokenOf({ ...token, pkcs11Token: other.PKCS11_TOKEN })?.makeKey();
      const lines = await refusals({ pkcs11Token: other.PKCS11_TOKEN });
      expect(lines).toHaveLength(KEY_FILES.length);
      expect(lines[0]).toMatch(/^PKCS11_KEY: this key does not open token\.json: the file was changed, or another key has wrapped it\. Put/);
    });

    it.each(['the first byte', 'the last byte', 'all but three bytes'])('when %s of a file is changed', async (what) => {
      const file = join(path, 'data.json');
      const bytes = Buffer.from((JSON.parse(await readFile(file, 'utf8')) as { wrapped: string }).wrapped, 'base64');
      const at = what === 'the first byte' ? 0 : bytes.length - 1;
      bytes[at]! ^= 1;
      await writeFile(file, JSON.stringify({ wrapped: (what.startsWith('all') ? bytes.subarray(0, 3) : bytes).toString('base64') }));
      expect(await refusals()).toEqual([expect.stringContaining('this key does not open data.json: the file was changed')]);
    });

    it('when two files were exchanged', async () => {
      await rename(join(path, 'pin.json'), join(path, 'x'));
      await rename(join(path, 'event.json'), join(path, 'pin.json'));
      await rename(join(path, 'x'), join(path, 'event.json'));
      expect(await refusals()).toEqual([expect.stringContaining('does not open pin.json'), expect.stringContaining('does not open event.json')]);
    });

    it('when a file in clear was put in the place of a wrapped one', async () => {
      await rm(join(path, 'token.json'));
      const other = await mkdtemp(join(tmpdir(), 'clear-keys-'));
      await generateKeyFiles(other, { clock, randomness });
      await writeFile(join(path, 'token.json'), await readFile(join(other, 'token.json'), 'utf8'), { mode: 0o600 });
      await rm(other, { recursive: true });
      expect(await refusals()).toEqual(['PKCS11_MODULE is set, and token.json is not wrapped. Run npm run cli -- keys wrap.']);
    });

    it('when the token is not set', async () => {
      const off = { pkcs11Module: undefined, pkcs11Token: undefined, pkcs11PinFile: undefined };
      const lines = await refusals(off);
      expect(lines[0]).toMatch(/^PKCS11_MODULE is not set, and token\.json is wrapped\. Set PKCS11_MODULE, .*\.$/);
      expect(lines).toHaveLength(KEY_FILES.length);
    });

    it('when only a part of the token is set', () => {
      expect(() => sealBy({ pkcs11Token: undefined })).toThrow('PKCS11_MODULE, PKCS11_TOKEN and PKCS11_PIN_FILE belong together');
    });
  });

  it('a running service keeps its keys when a changed file is invalid', async () => {
    await generate();
    const log = new CapturedLog();
    using keys = await open(undefined, log as never);
    const { id } = keys.token.current();
    await writeFile(join(path, 'token.json'), JSON.stringify({ wrapped: Buffer.alloc(200).toString('base64') }));
    await keys.reread();
    expect(keys.token.current().id).toBe(id);
    expect(log.text).toContain('a changed key file is invalid');
  });

  it('a token makes the key once', async () => {
    await expect(tokenOf(token)?.makeKey()).rejects.toThrow('PKCS11_KEY: the token "countersign" has this key already. Use it.');
  });
});
