import { chmod, chown, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { SystemRandomness } from '#kernel';
import { FixedClock } from '#testkit/kernel/fixed-clock';
import { SilentLog } from '#telemetry';

import { findRetirableKey, generateKeyFiles, listKeys, removeKey, rotateKey } from './key-files.js';
import { KeyDirectory } from './key-directory.js';

const ALL = ['token', 'pin', 'data', 'event', 'checkpoint', 'index', 'subject', 'openid'];

let path: string;
let clock: FixedClock;
const randomness = new SystemRandomness();
beforeEach(async () => {
  path = await mkdtemp(join(tmpdir(), 'key-files-'));
  clock = new FixedClock();
});
afterEach(() => rm(path, { recursive: true }));

const generate = () => generateKeyFiles(path, { clock, randomness });
const list = () => listKeys(path, { clock });
const rotate = (file: 'token' | 'subject' | 'openid') => rotateKey(path, file, { clock, randomness });
const contents = async () =>
  new Map(await Promise.all((await readdir(path)).map(async (name) => [name, await readFile(join(path, name), 'utf8')] as const)));

describe('generated key files', () => {
  it('are those that a guarded service takes, readable by the owner only', async () => {
    expect(await generate()).toEqual(ALL);
    using keys = await KeyDirectory.open({ path, clock, randomness, log: new SilentLog(), guarded: true });
    expect(keys.subject.current().key.reveal()).not.toEqual(keys.index.key.reveal());
    for (const name of ALL) expect((await stat(join(path, `${name}.json`))).mode & 0o777).toBe(0o600);
  });

  it('never replace a file that is there', async () => {
    await generate();
    const before = await contents();
    expect(await generate()).toEqual([]);
    expect(await contents()).toEqual(before);
  });
});

describe('a new key of openid.json', () => {
  it('is published for a day before it signs', async () => {
    await generate();
    await rotate('openid');
    const states = async () => (await list()).filter(({ file }) => file === 'openid').map(({ state }) => state);
    clock.advance(86_399_999);
    expect(await states()).toEqual(['next', 'current']);
    clock.advance(1);
    expect(await states()).toEqual(['current', 'former']);
  });
});

describe('the list of keys', () => {
  it('tells the state of each key, and no key', async () => {
    await generate();
    const [first] = await list();
    await rotate('token');
    expect((await list()).filter(({ file }) => file === 'token').map(({ state }) => state)).toEqual(['next', 'current']);
    clock.advance(600_000);
    const tokens = (await list()).filter(({ file }) => file === 'token');
    expect(tokens.map(({ state }) => state)).toEqual(['current', 'former']);
    expect(tokens[1]).toMatchObject({ id: first?.id, fingerprint: first?.fingerprint, development: false });
    const secrets = [...(await contents()).values()].flatMap((content) => (JSON.parse(content) as { key: string }[]).map(({ key }) => key));
    for (const secret of secrets) expect(JSON.stringify(await list())).not.toContain(secret);
  });

  it('names a file that is no key file', async () => {
    await writeFile(join(path, 'pin.json'), '{}');
    await expect(list()).rejects.toThrow('pin.json is not a valid key file: it must be a list of at least one key');
  });
});

describe('a rotation', () => {
  it('keeps the former key, and a service uses the new one after ten minutes', async () => {
    await generate();
    using keys = await KeyDirectory.open({ path, clock, randomness, log: new SilentLog(), guarded: true });
    const former = keys.token.current();
    const { id } = await rotate('token');
    await keys.reread();
    expect(keys.token.current()).toEqual(former);
    clock.advance(600_000);
    expect(keys.token.current().id).toBe(id);
    expect(keys.token.find(former.id)).toEqual(former);
    expect(await readdir(path)).toHaveLength(ALL.length);
  });

  it('leaves the file its mode', async () => {
    await generate();
    await chmod(join(path, 'token.json'), 0o440);
    await rotate('token');
    expect((await stat(join(path, 'token.json'))).mode & 0o777).toBe(0o440);
  });

  (process.getuid?.() === 0 ? it : it.skip)('by root leaves the file its owner, and new files have the owner of the folder', async () => {
    await mkdir(path, { recursive: true });
    await chown(path, 4711, 4712);
    await generate();
    await rotate('token');
    for (const name of await readdir(path)) expect(await stat(join(path, name))).toMatchObject({ uid: 4711, gid: 4712 });
  });

  it('is refused while another new key waits', async () => {
    await generate();
    await rotate('token');
    await expect(rotate('token')).rejects.toThrow('token.json has a next key already');
  });

  it('is refused for the key of subjectIds', async () => {
    await generate();
    await expect(rotate('subject')).rejects.toThrow('a new key in subject.json migrates every account');
  });

  it('names the missing file and the remedy', async () => {
    await expect(rotate('token')).rejects.toThrow('run keys generate');
  });
});

describe('a key to be retired', () => {
  it('is a former one', async () => {
    await generate();
    const [first] = await list();
    const find = (id = first?.id ?? '') => findRetirableKey(path, 'token', id, { clock });
    await expect(find()).rejects.toThrow('is the current key; rotate first');
    await expect(find('none')).rejects.toThrow('token.json has no key none');
    await rotate('token');
    clock.advance(600_000);
    const key = await find();
    expect(key.successorSince).toBe(clock.now());
    await removeKey(path, key);
    expect((await list()).filter(({ file }) => file === 'token').map(({ id }) => id)).not.toContain(first?.id);
  });
});
