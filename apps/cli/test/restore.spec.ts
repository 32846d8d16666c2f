import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { appendFile, chown, mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';

import { build } from 'esbuild';

import { ErasureMacs } from '#domain/identity';
import { NO_STREAM, SqliteEventStore, type StreamName, streamName } from '#engines/event-store';
import { type IdentityId, SystemClock } from '#kernel';
import { writeEventKeys } from '#testkit/config/event-key-file';
import { eventually } from '#testkit/kernel/eventually';

import { backUp } from '../src/store/back-up.js';
import { makeBackupKey } from '../src/store/backup-key.js';
import { restore } from '../src/store/restore.js';

const ROOT = join(import.meta.dirname, '../../..');
const IN_BACKUP = streamName('device', 'in-the-backup');
const LATER = streamName('device', 'later');
/** Makes a backup of some megabytes, which takes a restoration a moment. */
const TEXTS = Array.from({ length: 12 }, () => ({ type: 'Filled', data: { text: 'x'.repeat(800_000) } }));

let directory: string;
let file: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'cli-restore-'));
  const recipient = await makeBackupKey(at('key'));
  await append(IN_BACKUP);
  const store = open();
  for (const [index, event] of TEXTS.entries()) await store.append(streamName('device', `filled-${index}`), NO_STREAM, [event]);
  await store.close();
  const macs = new ErasureMacs(await writeEventKeys(at('keys')), 'development');
  await appendFile(at('data/erasures.jsonl'), `${JSON.stringify(macs.signed('erased' as IdentityId, 1))}\n`);
  ({ file } = await backUp({ ...location(), to: at('backups'), recipients: [recipient] }));
});
afterEach(() => rm(directory, { recursive: true }));

const at = (name: string): string => join(directory, name);
const open = () => new SqliteEventStore({ path: at('data/countersign.sqlite'), clock: new SystemClock() });
const append = async (stream: StreamName): Promise<void> => {
  const store = open();
  await store.append(stream, NO_STREAM, [{ type: 'DeviceEnrolled', data: {} }]);
  await store.close();
};
const has = async (...streams: StreamName[]): Promise<readonly boolean[]> => {
  const store = open();
  const found = await Promise.all(streams.map(async (stream) => (await store.read(stream)).length > 0));
  await store.close();
  return found;
};
const location = () => ({ dataDirectory: at('data'), keyDirectory: at('keys'), environment: 'development' });
const options = () => ({ ...location(), file, identityFile: at('key'), replace: true });
const putBack = () => restore(options());

describe('a restoration', () => {
  it('makes the folder of a new machine, for the service alone', async () => {
    await rm(at('data'), { recursive: true });
    await putBack();
    expect((await stat(at('data'))).mode & 0o777).toBe(0o700);
    expect(await has(IN_BACKUP)).toEqual([true]);
  });

  (process.getuid?.() === 0 ? it : it.skip)('by root leaves all files to the owner of the folder', async () => {
    await rm(at('data'), { recursive: true });
    await mkdir(at('data'));
    await chown(at('data'), 4711, 4712);
    await putBack();
    for (const name of await readdir(at('data'))) expect([name, await stat(at(`data/${name}`))]).toMatchObject([name, { uid: 4711, gid: 4712 }]);
  });

  it('is refused when a service was started meanwhile, and does not touch the store of that service', async () => {
    const restoring = putBack();
    restoring.catch(() => undefined); // awaited below
    while (!existsSync(at('data/countersign.sqlite.restoring'))) await setImmediate();
    const service = open();
    await expect(restoring).rejects.toMatchObject({ exitCode: 3, message: expect.stringContaining('Stop the service') });
    await service.append(LATER, NO_STREAM, [{ type: 'DeviceEnrolled', data: {} }]);
    await service.close();
    expect(await has(IN_BACKUP, LATER)).toEqual([true, true]);
    expect((await readdir(at('data'))).sort()).toEqual(['countersign.sqlite', 'erasures.jsonl']);
  });

  describe('that is killed', () => {
    let folder: string;
    beforeAll(async () => {
      // Inside the repository, so that it finds the packages that it imports.
      folder = await mkdtemp(join(ROOT, 'node_modules/.cli-test-'));
      const contents = `import { restore } from './apps/cli/src/store/restore.ts'; await restore(JSON.parse(process.argv[2]));`;
      await build({
        stdin: { contents, resolveDir: ROOT },
        outfile: join(folder, 'restore.mjs'),
        bundle: true,
        platform: 'node',
        format: 'esm',
        conditions: ['source'],
        packages: 'external',
        logLevel: 'error',
      });
    });
    afterAll(() => rm(folder, { recursive: true }));

    it.each([
      ['while it decrypts', () => existsSync(at('data/countersign.sqlite.restoring'))],
      ['when the list of erasures is complete', () => existsSync(at('data/erasures.jsonl'))],
      ['when the read models are gone', () => !existsSync(at('data/read-models.sqlite'))],
    ])('%s leaves the former store or that of the backup, and is repeated', async (_, reached) => {
      await append(LATER);
      await rm(at('data/erasures.jsonl'));
      await writeFile(at('data/read-models.sqlite'), '');
      const child = spawn(process.execPath, [join(folder, 'restore.mjs'), JSON.stringify(options())], { stdio: ['ignore', 'ignore', 'inherit'] });
      const ended = once(child, 'exit');
      await eventually(reached, { what: 'the restoration has come so far' });
      child.kill('SIGKILL');
      await ended;
      expect(await has(IN_BACKUP)).toEqual([true]);

      await putBack();
      expect(await has(IN_BACKUP, LATER)).toEqual([true, false]);
      expect((await readdir(at('data'))).sort()).toEqual(['countersign.sqlite', 'erasures.jsonl']);
    });
  });
});
