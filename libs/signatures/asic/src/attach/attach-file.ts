import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { crc32 } from 'node:zlib';

import { appendFile, openDelivered, otherFilePresent, placeOf, sameBytes, wrongFile } from './attachment.js';
import { sourceOf, writeWhole } from './container-file.js';

export interface AttachOrder {
  /** Paths. */
  readonly container: string;
  readonly file: string;
  /** The path of the completed container. Default: the path of the container. */
  readonly output?: string;
}

export interface Attached {
  /** The name that the file was signed under. */
  readonly signedDataName: string;
  /** False when the file was in the container already. */
  readonly changed: boolean;
}

/**
 * Puts the client's file into the container, under the name that was signed, after checking that it is the file
 * that was signed. Files of any size are streamed; every byte of the container stays; the result appears complete or not at
 * all. Of several documents, call it once for each file. Throws AttachRefused, and the errors of the file system.
 */
export const attachFile = async ({ container, file, output = container }: AttachOrder): Promise<Attached> => {
  await using handle = await open(container);
  const source = await sourceOf(handle);
  const opened = await openDelivered(source);
  const facts = await survey(file);
  const { name: signedDataName, present } = await placeOf(source, opened, facts.sha512);
  if (present) {
    const { sha512 } = await survey(container, present);
    if (!sameBytes(sha512, facts.sha512)) throw otherFilePresent();
    if (output !== container) await writeWhole(output, [createReadStream(container)]);
    return { signedDataName, changed: false };
  }
  const { header, trailer } = appendFile(opened, { ...facts, name: signedDataName });
  const content = new HashedCopy(file);
  await writeWhole(output, [createReadStream(container, { end: opened.kept - 1 }), [header], content.chunks(), [trailer]], () => {
    if (!sameBytes(content.sha512(), facts.sha512)) throw wrongFile();
  });
  return { signedDataName, changed: true };
};

const survey = async (path: string, range?: { readonly start: number; readonly end: number }) => {
  const digest = createHash('sha512');
  let size = 0;
  let checksum = 0;
  // createReadStream's end is included, and no range of it is empty
  if (!range || range.end > range.start) {
    for await (const chunk of createReadStream(path, range && { start: range.start, end: range.end - 1 }) as AsyncIterable<Buffer>) {
      digest.update(chunk);
      checksum = crc32(chunk, checksum);
      size += chunk.length;
    }
  }
  return { sha512: digest.digest(), crc32: checksum, size };
};

/** The file might change between the check and the copy: the copied bytes are checked again. */
class HashedCopy {
  private readonly digest = createHash('sha512');

  constructor(private readonly path: string) {}

  async *chunks(): AsyncGenerator<Buffer> {
    for await (const chunk of createReadStream(this.path) as AsyncIterable<Buffer>) {
      this.digest.update(chunk);
      yield chunk;
    }
  }

  sha512(): Buffer {
    return this.digest.digest();
  }
}
