import { appendFile, openDelivered, otherFilePresent, placeOf, sameBytes } from './attachment.js';
import { sourceOf } from './blob-source.js';
import { crc32 } from './crc32.js';

/**
 * The container with the client's file inside, under the name that was signed, for a browser (it uses nothing of
 * Node). Every byte of the container stays; a container that holds the file already is answered unchanged. The file is read into
 * memory once. Of several documents, call it once for each file. Throws AttachRefused for a file that was not signed.
 */
export const attachBlob = async (container: Blob, file: Blob): Promise<Blob> => {
  const source = sourceOf(container);
  const opened = await openDelivered(source);
  const content = new Uint8Array(await file.arrayBuffer());
  const digest = await sha512(content);
  const { name, present } = await placeOf(source, opened, digest);
  if (present) {
    const bytes = await container.slice(present.start, present.end).arrayBuffer();
    if (!sameBytes(await sha512(new Uint8Array(bytes)), digest)) throw otherFilePresent();
    return container;
  }
  const { header, trailer } = appendFile(opened, { name, size: content.length, crc32: crc32(content) });
  return new Blob([container.slice(0, opened.kept), header, content, trailer], { type: container.type });
};

const sha512 = async (bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> => new Uint8Array(await crypto.subtle.digest('SHA-512', bytes));
