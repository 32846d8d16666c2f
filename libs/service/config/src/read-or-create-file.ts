import { link, mkdir, open, readFile, stat, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';

import type { Randomness } from '#kernel';

import { giveToOwner } from './give-to-owner.js';

/**
 * Reads the file. When there is none, writes what `make` returns (mode 0600, by root for the folder's owner) and returns that. When several processes start
 * at once, one of them writes the file and all return its content.
 */
export const readOrCreateFile = async (path: string, randomness: Randomness, make: () => string | Promise<string>): Promise<string> => {
  const kept = await contentOf(path);
  if (kept !== undefined) return kept;
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const draft = `${path}.${randomness.uuid()}`;
  await writeDurably(draft, await make());
  try {
    await link(draft, path);
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  } finally {
    await unlink(draft);
  }
  return readFile(path, 'utf8');
};

const contentOf = async (path: string): Promise<string | undefined> => {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
};

const writeDurably = async (path: string, content: string): Promise<void> => {
  await using file = await open(path, 'wx', 0o600);
  await giveToOwner(file, await stat(dirname(path)));
  await file.writeFile(content);
  await file.sync();
};

const codeOf = (error: unknown): unknown => (error as { code?: unknown }).code;
