import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Decrypter, Encrypter } from 'age-encryption';

import { NO_STREAM, SqliteEventStore, streamName } from '#engines/event-store';
import { type KeyRing, SystemClock } from '#kernel';
import { FixedClock } from '#testkit/kernel/fixed-clock';
import { writeEventKeys } from '#testkit/config/event-key-file';

import { backUp } from '../src/store/back-up.js';
import type { BackupHeader } from '../src/store/backup-file.js';
import { makeBackupKey } from '../src/store/backup-key.js';
import { BackupMac } from '../src/store/backup-mac.js';
import { restore, type RestoreOptions } from '../src/store/restore.js';

/** What is inside of a backup. */
interface Inside {
  /** The line without its end. */
  readonly header: string;
  readonly store: Buffer;
  /** The line with the MAC. */
  readonly end: string;
}

let directory: string;
let recipient: string;
let good: Inside;
let other: Inside;

const at = (name: string): string => join(directory, name);
const location = () => ({ dataDirectory: at('data'), keyDirectory: at('keys'), environment: 'test' });
const putBack = (options: Partial<RestoreOptions> = {}) =>
  restore({ ...location(), file: at('forged'), identityFile: at('key'), replace: true, ...options });

const inside = async (file: string): Promise<Inside> => {
  const decrypter = new Decrypter();
  decrypter.addIdentity((await readFile(at('key'), 'utf8')).split('\n')[1]!);
  const plain = Buffer.from(await decrypter.decrypt(await readFile(file)));
  const header = plain.toString('utf8', 0, plain.indexOf('\n'));
  const { size } = JSON.parse(header) as BackupHeader;
  const begin = Buffer.byteLength(header) + 1;
  return { header, store: plain.subarray(begin, begin + size), end: plain.toString('utf8', begin + size) };
};
/** Puts a backup together, as anyone can who has the public key. */
const forge = async ({ header, store, end }: Inside): Promise<void> => {
  const encrypter = new Encrypter();
  encrypter.addRecipient(recipient);
  await writeFile(at('forged'), await encrypter.encrypt(Buffer.concat([Buffer.from(`${header}\n`), store, Buffer.from(end)])));
};
const endUnder = (ring: KeyRing, { header, store }: Inside): string => {
  const mac = new BackupMac(ring, header);
  mac.update(store);
  return mac.line();
};
const withField = (name: keyof BackupHeader, value: unknown): Inside => ({
  ...good,
  header: JSON.stringify({ ...(JSON.parse(good.header) as BackupHeader), [name]: value }),
});

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'cli-forged-'));
  recipient = await makeBackupKey(at('key'));
  await writeEventKeys(at('keys'));
  const store = new SqliteEventStore({ path: at('data/countersign.sqlite'), clock: new SystemClock() });
  const take = async (seconds: number) =>
    inside((await backUp({ ...location(), to: at('backups'), recipients: [recipient] }, new FixedClock(seconds * 1_000))).file);
  await store.append(streamName('device', 'one'), NO_STREAM, [{ type: 'DeviceEnrolled', data: {} }]);
  await store.close();
  good = await take(1);
  const again = new SqliteEventStore({ path: at('data/countersign.sqlite'), clock: new SystemClock() });
  await again.append(streamName('device', 'two'), NO_STREAM, [{ type: 'DeviceEnrolled', data: {} }]);
  await again.close();
  other = await take(2);
});
afterAll(() => rm(directory, { recursive: true }));

/** For each field of the header another value, which a restoration would go by. */
const FIELDS: Readonly<Record<keyof BackupHeader, () => unknown>> = {
  format: () => 'countersign-backup-1',
  environment: () => 'staging',
  takenAt: () => 5_000,
  size: () => good.store.length - 1,
  erasures: () => [['11111111-1111-4111-8111-111111111111', 1]],
};

const FORGED: readonly (readonly [string, () => Inside | Promise<Inside>])[] = [
  ...Object.entries(FIELDS).map(([name, value]) => [`with another ${name}`, () => withField(name as keyof BackupHeader, value())] as const),
  ['with a field more', () => ({ ...good, header: good.header.replace('{', '{"more":1,') })],
  ['with a header in another spelling', () => ({ ...good, header: good.header.replace('{', '{ ') })],
  ['with the header of another one', () => ({ ...good, header: other.header, store: good.store })],
  [
    'with the header and the MAC of another one',
    () => ({ ...other, store: Buffer.concat([good.store, other.store]).subarray(0, other.store.length) }),
  ],
  ['with the MAC of another one', () => ({ ...good, end: other.end })],
  [
    'with one changed byte of the store',
    () => ({ ...good, store: Buffer.concat([good.store.subarray(0, -1), Buffer.of((good.store.at(-1) ?? 0) ^ 1)]) }),
  ],
  ['without a MAC', () => ({ ...good, end: '' })],
  ['with a text in place of a MAC', () => ({ ...good, end: '{"mac":"none"}\n' })],
  ['with bytes behind its MAC', () => ({ ...good, end: `${good.end}x` })],
  ['with a MAC under another key', async () => ({ ...good, end: endUnder(await writeEventKeys(at('other-keys'), 'stolen'), good) })],
];

describe('a backup that the service has not made', () => {
  it('is told from one that it has made', async () => {
    await forge(good);
    expect(await putBack()).toMatchObject({ takenAt: 1_000, size: good.store.length });
    expect(Object.keys(JSON.parse(good.header) as object).toSorted()).toEqual(Object.keys(FIELDS).toSorted());
  });

  it.each(FORGED)('is refused, and changes nothing: %s', async (_, forged) => {
    const before = await readFile(at('data/countersign.sqlite'));
    await forge(await forged());
    await expect(putBack()).rejects.toMatchObject({ exitCode: 1 });
    expect((await readFile(at('data/countersign.sqlite'))).equals(before)).toBe(true);
    expect(await readdir(at('data'))).toEqual(['countersign.sqlite']);
  });

  it('is refused by a service of another environment, and where the keys are missing', async () => {
    await forge(good);
    await expect(putBack({ environment: 'staging' })).rejects.toMatchObject({ exitCode: 1, message: expect.stringContaining('another environment') });
    await expect(putBack({ keyDirectory: at('none') })).rejects.toMatchObject({ exitCode: 1, message: expect.stringContaining('event.json') });
  });
});
