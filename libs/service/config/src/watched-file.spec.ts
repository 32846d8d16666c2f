import { mkdtemp, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { WatchedFile } from './watched-file.js';

describe('a watched file', () => {
  let directory: string;
  let path: string;
  let watched: WatchedFile;
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'watched-'));
    path = join(directory, 'file');
    watched = new WatchedFile(path);
    await writeFile(path, 'one');
  });
  afterEach(() => rm(directory, { recursive: true }));

  const looks = async (count: number): Promise<readonly boolean[]> => {
    const answers: boolean[] = [];
    while (answers.length < count) answers.push(await watched.mayHaveChanged());
    return answers;
  };

  it('is read twice, and then no more', async () => {
    expect(await looks(4)).toEqual([true, true, false, false]);
  });

  it('is read twice again after a change, also one of equal length whose time was set back', async () => {
    await looks(3);
    await writeFile(path, 'two');
    await utimes(path, new Date(0), new Date(0));
    expect(await looks(3)).toEqual([true, true, false]);
  });

  it('is read again when another file has taken its place', async () => {
    await looks(3);
    await writeFile(`${path}.new`, 'one');
    await rename(`${path}.new`, path);
    expect(await looks(3)).toEqual([true, true, false]);
  });

  it('is read each time while it cannot be used', async () => {
    await looks(3);
    watched.forget();
    expect(await looks(1)).toEqual([true]);
    watched.forget();
    expect(await looks(1)).toEqual([true]);
    await rm(path);
    expect(await looks(3)).toEqual([true, true, true]);
  });
});
