import { appendFile, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { ErasureMacs } from '#domain/identity';
import { loadPlatformSettings } from '#service/config';
import { SqliteEventStore, type StreamName, streamName } from '#engines/event-store';
import { type IdentityId, type KeyRing, SystemClock } from '#kernel';
import { FixedClock } from '#testkit/kernel/fixed-clock';
import { openPlatform } from '#service/platform';
import { writeEventKeys } from '#testkit/config/event-key-file';

import { backUp } from '../src/store/back-up.js';
import { makeBackupKey } from '../src/store/backup-key.js';
import type { RestoreOptions } from '../src/store/restore.js';
import { restore } from '../src/store/restore.js';

let directory: string;
let recipient: string;
let ring: KeyRing;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'cli-backup-'));
  ring = await writeEventKeys(at('keys'));
  recipient = await makeBackupKey(at('key'));
});
afterEach(() => rm(directory, { recursive: true }));

const at = (name: string): string => join(directory, name);
const stream = streamName('device', 'one');
const event = { type: 'DeviceEnrolled', data: { text: 'plain' } };
const store = (dataDirectory = at('data')) => new SqliteEventStore({ path: join(dataDirectory, 'countersign.sqlite'), clock: new SystemClock() });
const storeWith = async (...streams: StreamName[]): Promise<void> => {
  const opened = store();
  for (const name of streams) await opened.append(name, 'no_stream', [event]);
  await opened.close();
};
const location = () => ({ dataDirectory: at('data'), keyDirectory: at('keys'), environment: 'development' });
const take = (clock = new FixedClock(), keep?: number) =>
  backUp({ ...location(), to: at('backups'), recipients: [recipient], ...(keep !== undefined && { keep }) }, clock);
const putBack = (file: string, options: Partial<RestoreOptions> = {}) =>
  restore({ ...location(), file, identityFile: at('key'), replace: true, ...options });
const has = async (name: StreamName): Promise<boolean> => {
  const opened = store();
  const events = await opened.read(name);
  await opened.close();
  return events.length > 0;
};

describe('a backup', () => {
  it('of a stopped service brings the store back, and removes what was built from the lost one', async () => {
    await storeWith(stream);
    const { file } = await take();
    await storeWith(streamName('device', 'later'));
    for (const name of ['read-models.sqlite', 'read-models.sqlite-wal', 'jobs.sqlite']) await writeFile(at(`data/${name}`), '');
    expect(await putBack(file)).toMatchObject({ takenAt: new FixedClock().now(), erasures: 0 });
    expect((await readdir(at('data'))).sort()).toEqual(['countersign.sqlite']);
    expect(await has(stream)).toBe(true);
    expect(await has(streamName('device', 'later'))).toBe(false);
  });

  it('of a running service has every event that was answered before', async () => {
    const platform = await openPlatform(loadPlatformSettings({ DATA_DIR: at('data'), KEY_DIR: at('keys'), LOG_LEVEL: 'silent' }));
    try {
      await platform.eventStore.append(stream, 'no_stream', [event]);
      const later = platform.eventStore.append(streamName('device', 'meanwhile'), 'no_stream', [event]);
      const [one, other] = await Promise.all([take(), take(new FixedClock(0))]);
      await later;
      expect(other.size).toBeGreaterThan(0);
      expect(await readdir(at('data'))).not.toContainEqual(expect.stringMatching(/^\.backup-/));
      await expect(putBack(one.file)).rejects.toMatchObject({ exitCode: 3, message: expect.stringContaining('Stop the service') });
      await platform.close();
      await putBack(one.file);
      expect(await has(stream)).toBe(true);
    } finally {
      platform.stop();
      await platform.close();
    }
  });

  it('is readable by its owner alone and tells nothing without the private key', async () => {
    await storeWith(stream);
    const { file } = await take();
    const bytes = await readFile(file);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect((await stat(at('key'))).mode & 0o777).toBe(0o600);
    expect(bytes.toString('latin1')).toMatch(/^age-encryption\.org\/v1\n/);
    expect(bytes.includes('DeviceEnrolled') || bytes.includes('SQLite format')).toBe(false);
    await makeBackupKey(at('other-key'));
    await expect(putBack(file, { identityFile: at('other-key') })).rejects.toMatchObject({
      exitCode: 1,
      message: expect.stringContaining('another key'),
    });
  });

  it('that was changed, cut off or lengthened changes nothing', async () => {
    await storeWith(stream);
    const { file } = await take();
    const bytes = await readFile(file);
    const changed = Buffer.from(bytes);
    changed.writeUInt8((changed.at(-100) ?? 0) ^ 1, changed.length - 100);
    await storeWith(streamName('device', 'later'));
    for (const broken of [
      changed,
      bytes.subarray(0, -1),
      bytes.subarray(0, bytes.length / 2),
      bytes.subarray(0, 10),
      Buffer.concat([bytes, bytes]),
      Buffer.alloc(0),
    ]) {
      await writeFile(at('broken'), broken);
      await expect(putBack(at('broken'))).rejects.toMatchObject({ exitCode: 1 });
    }
    expect((await readdir(at('data'))).sort()).toEqual(['countersign.sqlite']);
    expect(await has(streamName('device', 'later'))).toBe(true);
  });

  it('replaces a store only on request, a damaged one too', async () => {
    await storeWith(stream);
    const { file } = await take();
    await expect(putBack(file, { replace: false })).rejects.toMatchObject({ exitCode: 1, message: expect.stringContaining('--replace') });
    await writeFile(at('data/countersign.sqlite'), 'damaged');
    await putBack(file);
    expect(await has(stream)).toBe(true);
  });

  it('leaves the newest in its folder, and other files alone', async () => {
    await storeWith(stream);
    const clock = new FixedClock();
    const files: string[] = [];
    for (let day = 0; day < 3; day++) {
      clock.advance(86_400_000);
      files.push((await take(clock, 2)).file);
      if (day === 0) await writeFile(at('backups/countersign-notes.age'), '');
    }
    expect((await readdir(at('backups'))).map((name) => at(`backups/${name}`)).sort()).toEqual(
      [...files.slice(1), at('backups/countersign-notes.age')].sort(),
    );
  });

  it('for a text that is no public key, or of a folder without a store, is refused and leaves no file', async () => {
    await expect(backUp({ ...location(), to: at('backups'), recipients: ['age1wrong'] })).rejects.toMatchObject({ exitCode: 2 });
    await expect(take()).rejects.toMatchObject({ exitCode: 3, message: expect.stringContaining('set DATA_DIR') });
    expect(await readdir(at('backups'))).toEqual([]);
  });
});

describe('the list of erased persons', () => {
  const line = (identityId: string): string => `${JSON.stringify(new ErasureMacs(ring, 'development').signed(identityId as IdentityId, 1))}\n`;
  const unsigned = (identityId: string): string => `${JSON.stringify({ identityId, erasedAt: 1 })}\n`;
  const listed = async (): Promise<readonly string[]> =>
    (await readFile(at('data/erasures.jsonl'), 'utf8'))
      .split('\n')
      .filter(Boolean)
      .map((text) => (JSON.parse(text) as { identityId: string }).identityId);

  it('never becomes older: it has the persons of the folder, of the backup and of a newer copy', async () => {
    await storeWith(stream);
    await appendFile(at('data/erasures.jsonl'), line('before'));
    const { file } = await take();
    await writeFile(at('data/erasures.jsonl'), line('in-the-folder'));
    await writeFile(at('newer.jsonl'), line('in-the-copy'));
    expect(await putBack(file, { erasuresFile: at('newer.jsonl') })).toMatchObject({ erasures: 2 });
    expect((await listed()).toSorted()).toEqual(['before', 'in-the-copy', 'in-the-folder']);
  });

  it('comes from the backup on a new machine', async () => {
    await storeWith(stream);
    await appendFile(at('data/erasures.jsonl'), line('before'));
    const { file } = await take();
    await rm(at('data/erasures.jsonl'));
    await putBack(file);
    expect(await listed()).toEqual(['before']);
  });

  it('is left out of a backup as far as the service has not written it', async () => {
    await storeWith(stream);
    await appendFile(at('data/erasures.jsonl'), line('before') + unsigned('eve'));
    const { file, refusedErasures } = await take();
    expect(refusedErasures).toBe(1);
    await rm(at('data/erasures.jsonl'));
    await putBack(file);
    expect(await listed()).toEqual(['before']);
  });

  it.each([
    ['the copy', 'newer.jsonl'],
    ['the folder', 'data/erasures.jsonl'],
  ])('is refused in %s where a line has no MAC, before anything changes', async (_, name) => {
    await storeWith(stream);
    const { file } = await take();
    await storeWith(streamName('device', 'later'));
    await writeFile(at(name), unsigned('eve'));
    const options = name === 'newer.jsonl' ? { erasuresFile: at(name) } : {};
    await expect(putBack(file, options)).rejects.toMatchObject({ exitCode: 1, message: expect.stringContaining('line 1 has no MAC') });
    expect(await has(streamName('device', 'later'))).toBe(true);
  });
});
