import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { loadPlatformSettings } from '#service/config';
import { SystemRandomness } from '#kernel';

import { firstStartTokenProblems, openFirstStartToken } from './open-first-start-token.js';

const GUARDED = {
  ENVIRONMENT: 'staging',
  BASE_URL: 'https://id.example',
  APP_URL: 'https://phone.example',
  PORTAL_URL: 'https://portal.example',
  FOUR_EYES: 'true',
  ANCHOR_DIR: '/mnt/checkpoints',
};
const STRONG = 'nS9yvJmq3tB1xZ0eKdLw7RfUaPcGhQi2';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'admin-token-'));
});
afterEach(() => rm(directory, { recursive: true }));

const file = () => join(directory, 'admin-token');
const settings = (more: Record<string, string> = GUARDED) => loadPlatformSettings({ ...more, DATA_DIR: directory });
const open = async (more?: Record<string, string>): Promise<string> => (await openFirstStartToken(settings(more), new SystemRandomness())).reveal();

describe('the admin token', () => {
  it('is made by the first start, for the user of the service alone, and stays', async () => {
    const made = await open();
    expect(made).toMatch(/^[\w-]{43}$/);
    expect(await readFile(file(), 'utf8')).toContain(made);
    expect((await stat(file())).mode & 0o077).toBe(0);
    expect(await open()).toBe(made);
    expect(await firstStartTokenProblems(settings())).toEqual([]);
  });

  it('is that of the setting, whatever the file holds', async () => {
    await writeFile(file(), 'short');
    expect(await open({ ...GUARDED, ADMIN_TOKEN: STRONG })).toBe(STRONG);
    expect(await firstStartTokenProblems(settings({ ...GUARDED, ADMIN_TOKEN: STRONG }))).toEqual([]);
  });

  it.each(['short', 'abcdefghij'.repeat(5), 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM', ''])(
    'of a file is refused where it is %j, without its text, and taken in development',
    async (token) => {
      await writeFile(file(), `${token}\n`);
      const problem = /^ADMIN_TOKEN: the token in \S+admin-token must be .* Remove the file, and the next start makes one\.$/;
      expect(await firstStartTokenProblems(settings())).toEqual([expect.stringMatching(problem)]);
      await expect(open()).rejects.toThrow(/ADMIN_TOKEN: the token in/);
      if (token !== '') await expect(open()).rejects.not.toThrow(token);
      expect(await firstStartTokenProblems(settings({}))).toEqual([]);
    },
  );
});
