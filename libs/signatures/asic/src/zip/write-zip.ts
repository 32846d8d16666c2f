import { once } from 'node:events';

import { ZipFile } from 'yazl';

export interface ZipContent {
  readonly name: string;
  readonly content: Buffer;
}

/**
 * An archive with the entries in the order given, all of them stored. The same entries and time give the same bytes.
 * `at`: epoch milliseconds, becomes every entry's time in UTC.
 */
export const writeZip = async (entries: readonly ZipContent[], at: number): Promise<Buffer> => {
  const zip = new ZipFile();
  // without forceDosTimestamp yazl adds extra fields, which EN 319 162-1 §A.1 forbids on the first entry
  const options = { compress: false, forceDosTimestamp: true, mode: 0o100644, mtime: inLocalZone(at) };
  for (const { name, content } of entries) zip.addBuffer(content, name, options);
  const chunks: Buffer[] = [];
  zip.outputStream.on('data', (chunk: Buffer) => chunks.push(chunk));
  const written = once(zip.outputStream, 'end');
  zip.end();
  await written;
  return Buffer.concat(chunks);
};

/** yazl writes the local time's fields: a date whose local fields are the UTC fields of that moment. */
const inLocalZone = (at: number): Date => {
  const utc = new Date(at);
  return new Date(utc.getUTCFullYear(), utc.getUTCMonth(), utc.getUTCDate(), utc.getUTCHours(), utc.getUTCMinutes(), utc.getUTCSeconds());
};
