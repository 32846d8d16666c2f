import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { SystemRandomness } from '#kernel';
import { FixedClock } from '#testkit/kernel/fixed-clock';
import { SilentLog } from '#telemetry';

import { KeyDirectory } from './key-directory.js';
import { InvalidSettings } from './load-settings.js';
import { newSigningPair } from './signing-pair.js';

let path: string;
let clock: FixedClock;
let opened: KeyDirectory[];

beforeEach(async () => {
  path = await mkdtemp(join(tmpdir(), 'keys-'));
  clock = new FixedClock();
  opened = [];
});
afterEach(async () => {
  for (const keys of opened) keys[Symbol.dispose]();
  await rm(path, { recursive: true });
});

const open = async (guarded = false): Promise<KeyDirectory> => {
  const keys = await KeyDirectory.open({ path, clock, randomness: new SystemRandomness(), log: new SilentLog(), guarded });
  opened.push(keys);
  return keys;
};
const key = (id: string, notBefore = '2025-01-01T00:00:00Z', development = false) => ({
  id,
  key: Buffer.alloc(32, id).toString('base64'),
  notBefore,
  development,
});
const write = (name: string, content: unknown) => writeFile(join(path, `${name}.json`), JSON.stringify(content), { mode: 0o600 });
const writeAll = async () => {
  for (const name of ['token', 'pin', 'data', 'event', 'checkpoint', 'subject', 'index']) await write(name, [key(name)]);
};

describe('the key pairs of openid.json', () => {
  const pair = (id: string, notBefore?: string, development?: boolean) => ({
    ...key(id, notBefore, development),
    key: newSigningPair().toString('base64'),
  });

  it('are made on the first start, and rotate while the service runs', async () => {
    const keys = await open();
    const [made] = keys.openid?.all() ?? [];
    expect(made).toMatchObject({ development: true, notBefore: clock.now() });
    await write('openid', [pair('first'), pair('later', '2999-01-01T00:00:00Z')]);
    await keys.reread();
    expect([keys.openid?.all().map(({ id }) => id), keys.openid?.current().id]).toEqual([['later', 'first'], 'first']);
  });

  it('are absent in a guarded environment without the file, which makes none', async () => {
    await writeAll();
    expect((await open(true)).openid).toBeUndefined();
    expect(await readdir(path)).not.toContain('openid.json');
  });

  it.each([
    ['32 random bytes', [key('random')]],
    ['a key that was made for development', [pair('development', undefined, true)]],
    ['nothing', []],
    ['a public key', [{ ...key('public'), key: Buffer.from('{"keys":[{"kty":"RSA"},{"kty":"EC"}]}').toString('base64') }]],
  ])('are refused in a guarded environment where the file holds %s', async (_, content) => {
    await writeAll();
    await write('openid', content);
    await expect(open(true)).rejects.toThrow(/openid\.json is not a valid key file/);
  });
});

describe('a key directory', () => {
  it('is created on the first start, readable by the owner only, and kept', async () => {
    const first = await open();
    expect((await stat(join(path, 'token.json'))).mode & 0o777).toBe(0o600);
    expect(JSON.parse(await readFile(join(path, 'subject.json'), 'utf8'))).toEqual([expect.objectContaining({ development: true })]);
    const second = await open();
    expect(second.token.current()).toEqual(first.token.current());
    expect(second.subject.current()).toEqual(first.subject.current());
  });

  it('reports from when the key in use of each purpose is valid, also after a rotation', async () => {
    const told: (readonly [string, string])[] = [];
    await writeAll();
    const inUse = (purpose: string, since: number) => void told.push([purpose, new Date(since).toISOString().slice(0, 10)]);
    const keys = await KeyDirectory.open({ path, clock, randomness: new SystemRandomness(), log: new SilentLog(), guarded: false, inUse });
    opened.push(keys);
    expect(told.pop()).toEqual(['openid', new Date(clock.now()).toISOString().slice(0, 10)]);
    expect(told).toEqual(['token', 'pin', 'data', 'event', 'checkpoint', 'subject', 'index'].map((purpose) => [purpose, '2025-01-01']));
    await write('token', [key('token'), key('rotated', '2025-02-01T00:00:00Z'), key('later', '2999-01-01T00:00:00Z')]);
    await write('subject', [{ ...key('subject'), acceptedUntil: '2999-01-01T00:00:00Z' }, key('next', '2025-03-01T00:00:00Z')]);
    await keys.reread();
    expect(told.slice(6)).toEqual(
      expect.arrayContaining([
        ['token', '2025-02-01'],
        ['subject', '2025-03-01'],
        ['index', '2025-01-01'],
      ]),
    );
    expect(keys.ages()).toContainEqual({ purpose: 'token', since: Date.UTC(2025, 1, 1) });
  });

  it('holds a different key for each purpose', async () => {
    const keys = await open();
    const all = [keys.token.current(), keys.pin.current(), keys.data.current(), keys.event.current(), keys.subject.current(), keys.index].map(
      (each) => each.key.reveal().toString('hex'),
    );
    expect(new Set(all).size).toBe(6);
  });

  it('is the same for processes that start at the same time', async () => {
    const keys = await Promise.all(Array.from({ length: 8 }, () => open()));
    expect(new Set(keys.map(({ token }) => token.current().id)).size).toBe(1);
    for (const keyOf of [({ subject }: KeyDirectory) => subject.current(), ({ index }: KeyDirectory) => index])
      expect(new Set(keys.map((each) => keyOf(each).key.reveal().toString('hex'))).size).toBe(1);
  });

  it('signs with the newest active key and recognises all keys', async () => {
    await writeAll();
    await write('token', [key('old'), key('next', '2026-01-01T00:00:10Z'), key('new', '2025-06-01T00:00:00Z')]);
    const { token } = await open();
    expect(token.current().id).toBe('new');
    expect(token.find('next')?.id).toBe('next');
    expect(token.find('none')).toBeUndefined();
    clock.advance(10_000);
    expect(token.current().id).toBe('next');
  });

  it('applies changed files, and keeps the former keys when a changed file is invalid', async () => {
    await writeAll();
    const keys = await open();
    await write('token', [key('token'), key('rotated', '2025-02-01T00:00:00Z')]);
    await keys.reread();
    expect(keys.token.current().id).toBe('rotated');
    await write('token', []);
    await keys.reread();
    expect(keys.token.current().id).toBe('rotated');
  });

  it.each([
    ['not JSON', 'x', 'it is not JSON'],
    ['no list', '{}', 'it must be a list of at least one key'],
    ['an empty list', '[]', 'it must be a list of at least one key'],
    ['a short key', JSON.stringify([{ ...key('a'), key: 'AAAA' }]), 'key must be the base64 of 32 bytes'],
    ['an id with a dot', JSON.stringify([{ ...key('a'), id: 'a.b' }]), 'id must be 1 to 32 letters, digits, - or _'],
    ['two equal ids', JSON.stringify([key('a'), key('a')]), 'two keys have the same id'],
    ['no date', JSON.stringify([{ ...key('a'), notBefore: 'soon' }]), 'notBefore must be a date and time such as 2026-01-01T00:00:00Z'],
    ['null', '[null]', 'id must be 1 to 32 letters, digits, - or _'],
    ['only future keys', JSON.stringify([key('a', '2030-01-01T00:00:00Z')]), 'the notBefore of every key lies in the future'],
  ])('refuses a file that is %s', async (_, content, problem) => {
    await writeAll();
    await writeFile(join(path, 'pin.json'), content);
    await expect(open()).rejects.toThrow(problem);
    await expect(open()).rejects.toThrow(join(path, 'pin.json'));
  });

  it('refuses a second subject key, since it would change every account', async () => {
    await writeAll();
    await write('subject', [key('a'), key('b')]);
    await expect(open()).rejects.toThrow('must hold exactly one key');
  });

  it('refuses a second index key, since it would find no reservation', async () => {
    await writeAll();
    await write('index', [key('a'), key('b')]);
    await expect(open()).rejects.toThrow('index.json must hold exactly one key, since another key would find no reservation');
  });

  it('makes no keys in a guarded environment', async () => {
    await expect(open(true)).rejects.toThrow('no key is made');
    await expect(readdir(path)).resolves.toEqual([]);
    await writeAll();
    await expect(open(true)).resolves.toBeDefined();
  });

  it('refuses keys made for development in a guarded environment', async () => {
    await writeAll();
    await write('data', [key('a', '2025-01-01T00:00:00Z', true)]);
    await expect(open(true)).rejects.toThrow('marked as made for development');
    await expect(open(false)).resolves.toBeDefined();
  });

  it.each([0o604, 0o602, 0o644])('refuses a file of mode %o in a guarded environment, since every user of the machine has access', async (mode) => {
    await writeAll();
    await chmod(join(path, 'event.json'), mode);
    await expect(open(true)).rejects.toThrow(`(mode 0${mode.toString(8)}). Run chmod 600 on it`);
    await expect(open(false)).resolves.toBeDefined();
  });

  it('takes a file that only a group may read, as Kubernetes mounts secrets', async () => {
    await writeAll();
    await chmod(join(path, 'event.json'), 0o440);
    await expect(open(true)).resolves.toBeDefined();
  });

  it('names every file with a problem at once, one line for each', async () => {
    await write('token', [key('token')]);
    await write('pin', []);
    await write('subject', [key('a', '2025-01-01T00:00:00Z', true)]);
    const error: unknown = await open(true).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(InvalidSettings);
    const { problems } = error as InvalidSettings;
    expect(problems).toEqual(
      ['pin', 'data', 'event', 'checkpoint', 'index', 'subject'].map((name) => expect.stringContaining(`KEY_DIR: ${join(path, `${name}.json`)}`)),
    );
    expect(problems.join()).not.toContain('\n');
  });
});
