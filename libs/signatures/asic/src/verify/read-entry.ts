import { UnreadableContainer } from '../zip/unreadable-container.js';
import type { ZipReader } from '../zip/zip-reader.js';

const MAX_META_INF_BYTES = 1024 * 1024;

/** The content of an entry for a part of the container; undefined when there is none. */
export const readEntry = async (zip: ZipReader, name: string): Promise<Buffer | undefined> => {
  const entry = zip.find(name);
  if (!entry) return undefined;
  if (entry.size > MAX_META_INF_BYTES) throw new UnreadableContainer(`${name} is larger than it can be`);
  return zip.read(entry, MAX_META_INF_BYTES);
};
