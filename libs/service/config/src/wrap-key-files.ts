import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { KEY_FILES, type KeyFileName } from './key-file-names.js';
import { contentOf, entriesOf, KeyChangeRefused, replaceKeyFile } from './key-files.js';
import { type KeySeal, wrappedKeysOf } from './key-seal.js';

/** Wraps the files in `directory` that are in clear. An interruption leaves each file in clear or wrapped; repeat it then. Answers the names of the wrapped files. Throws {@link KeyChangeRefused}. */
export const wrapKeyFiles = async (directory: string, seal: KeySeal): Promise<readonly KeyFileName[]> => {
  const wrapped: KeyFileName[] = [];
  for (const name of KEY_FILES) {
    const content = await readFile(join(directory, `${name}.json`), 'utf8').catch(() => '');
    if (wrappedKeysOf(content)) continue;
    await replaceKeyFile(directory, name, await entriesOf(directory, name), seal);
    wrapped.push(name);
  }
  return wrapped;
};

/**
 * Writes the key files in clear into another folder, readable by its owner alone: for the copies that are kept apart, since the files are lost with the token.
 * Replaces no file there. Answers the names. Throws {@link KeyChangeRefused}.
 */
export const exportClearKeys = async (directory: string, target: string, seal: KeySeal): Promise<readonly KeyFileName[]> => {
  const files: [KeyFileName, string][] = [];
  for (const name of KEY_FILES) {
    const content = await contentOf(directory, name, seal);
    if (content !== undefined) files.push([name, content]);
  }
  await mkdir(target, { recursive: true, mode: 0o700 });
  for (const [name, content] of files) {
    const path = join(target, `${name}.json`);
    await writeFile(path, content, { flag: 'wx', mode: 0o600 }).catch((error: NodeJS.ErrnoException) => {
      throw new KeyChangeRefused(`${path} cannot be written (${String(error.code)}): name an empty folder of this user`);
    });
  }
  return files.map(([name]) => name);
};
