import { appendFile, openDelivered, otherFilePresent, sameBytes, wrongFile } from './attachment.js';
import { sourceOf } from './blob-source.js';
import { crc32 } from './crc32.js';

/**
 * The container with the client's file inside, under the name that was signed, for a browser (it uses nothing of
 * Node). Every byte of the container stays; a container that holds the file already comes back as it is. The file is read into
 * memory once. Throws AttachRefused for any file but the signed one.
 */
export const attachBlob = async (container: Blob, file: Blob): Promise<Blob> => {
  const opened = await openDelivered(sourceOf(container));
  const { signedDataHash } = opened.manifest;
  const content = new Uint8Array(await file.arrayBuffer());
  if (!sameBytes(await sha512(content), signedDataHash)) throw wrongFile();
  if (opened.present) {
    const present = await container.slice(opened.present.start, opened.present.end).arrayBuffer();
    if (!sameBytes(await sha512(new Uint8Array(present)), signedDataHash)) throw otherFilePresent();
    return container;
  }
  const { header, trailer } = appendFile(opened, { size: content.length, crc32: crc32(content) });
  return new Blob([container.slice(0, opened.kept), header, content, trailer], { type: container.type });
};

const sha512 = async (bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> => new Uint8Array(await crypto.subtle.digest('SHA-512', bytes));
