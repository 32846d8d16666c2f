import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { inTemporaryFolder } from './temporary-folder.js';

describe('a temporary folder', () => {
  it('is removed when the work is done', async () => {
    const folder = await inTemporaryFolder(async (path) => {
      await writeFile(join(path, 'file'), 'content');
      return path;
    });
    expect(existsSync(folder)).toBe(false);
  });

  it('is removed when the work fails', async () => {
    let folder = '';
    const failing = inTemporaryFolder(async (path) => {
      folder = path;
      throw new Error('failed');
    });
    await expect(failing).rejects.toThrow('failed');
    expect(folder).not.toBe('');
    expect(existsSync(folder)).toBe(false);
  });
});
