import { randomUUID } from 'node:crypto';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';

import type { ByteSource } from './attachment.js';

/** The bytes of an open file, read piece by piece. */
export const sourceOf = async (handle: FileHandle): Promise<ByteSource> => ({
  size: (await handle.stat()).size,
  read: async (start, end) => {
    const { buffer, bytesRead } = await handle.read(new Uint8Array(Math.max(0, end - start)), 0, Math.max(0, end - start), start);
    return buffer.subarray(0, bytesRead);
  },
});

export type Chunks = Iterable<Uint8Array> | AsyncIterable<Uint8Array>;

/** Writes beside the final path and renames, so that half a container is never visible. */
export const writeWhole = async (
  path: string,
  parts: readonly Chunks[],
  check: (draft: string) => void | Promise<void> = () => undefined,
): Promise<void> => {
  const draft = `${path}.${randomUUID()}.part`;
  try {
    await using target = await open(draft, 'wx');
    for (const part of parts) for await (const chunk of part) await target.writeFile(chunk);
    await check(draft);
    await target.sync();
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
};
