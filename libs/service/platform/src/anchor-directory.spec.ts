import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { PlatformSettings } from '#service/config';

import { anchorDirectoryProblems, assertAnchorsApart } from './anchor-directory.js';

describe('the folder of the checkpoints', () => {
  let directory: string;
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'anchor-'));
  });
  afterEach(() => rm(directory, { recursive: true }));

  const settings = (changes: object = {}): PlatformSettings =>
    ({ environment: 'production', dataDirectory: directory, anchorDirectory: directory, ...changes }) as PlatformSettings;
  /** A file system of its own on every Linux. */
  const OTHER_DISK = { anchorDirectory: '/proc' };

  it('is refused on the disk of an embedded store, by the doctor too', async () => {
    const message = /^ANCHOR_DIR lies on the disk of DATA_DIR.* Set ANCHOR_DIR to a folder on another disk or another machine/;
    await expect(assertAnchorsApart(settings())).rejects.toMatchObject({ problems: [expect.stringMatching(message)] });
    expect(await anchorDirectoryProblems(settings())).toEqual([expect.stringMatching(message)]);
  });

  it.each([
    ['another disk', OTHER_DISK],
    ['a store on a server', { esdbUrl: 'esdb://store.example' }],
    ['no guarded environment', { environment: 'development' }],
    ['a folder that is not there: its place does not answer', { anchorDirectory: '/missing' }],
    ['no folder', { anchorDirectory: undefined }],
  ])('starts with %s', async (_, changes) => expect(await assertAnchorsApart(settings(changes))).toBeUndefined());

  it('is named by the doctor where it is not there or cannot be written to, and not where event-relay alone writes to it', async () => {
    expect(await anchorDirectoryProblems(settings({ anchorDirectory: join(directory, 'missing') }))).toEqual([
      expect.stringMatching(/^ANCHOR_DIR: this user cannot use .*missing \(ENOENT\)\. Make the folder/),
    ]);
    expect(await anchorDirectoryProblems(settings({ ...OTHER_DISK, kafkaBrokers: ['kafka:9092'] }))).toEqual([]);
    expect(await anchorDirectoryProblems(settings({ anchorDirectory: undefined }))).toEqual([]);
  });
});
