import { randomBytes } from 'node:crypto';
import { crc32, deflateSync } from 'node:zlib';

import { PNG } from 'pngjs';

/** A PNG of one colour, or of noise that hardly gets smaller. */
export const picture = (width = 32, height = 32, noise = false): Buffer => {
  const png = new PNG({ width, height });
  for (let byte = 0; byte < png.data.length; byte++) png.data[byte] = noise ? (byte * 7919 * (byte + 13)) % 251 : 120;
  return PNG.sync.write(png);
};

/** A chunk of a PNG with its length and its checksum. */
export const chunk = (type: string, data: Buffer = Buffer.of()): Buffer => {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(Buffer.concat([Buffer.from(type), data])));
  return Buffer.concat([length, Buffer.from(type), data, checksum]);
};

/** The header chunk of a PNG: 8 bits of red, green, blue and alpha unless `rest` (depth, colour type, compression, filter, interlace) says otherwise. */
export const header = (width: number, height: number, rest: readonly number[] = [8, 6, 0, 0, 0]): Buffer => {
  const sides = Buffer.alloc(8);
  sides.writeUInt32BE(width, 0);
  sides.writeUInt32BE(height, 4);
  return chunk('IHDR', Buffer.concat([sides, Buffer.from(rest)]));
};

/** A PNG of these chunks between the signature and IEND. */
export const pngOf = (...chunks: readonly Buffer[]): Buffer => Buffer.concat([picture().subarray(0, 8), ...chunks, chunk('IEND')]);

/** Pixels of a colour type whose line has so many bytes, unfiltered. */
export const pixels = (bytesOfALine: number, lines: number): Buffer => chunk('IDAT', deflateSync(Buffer.alloc((bytesOfALine + 1) * lines)));

const BLOCK = 4;
const COLOURS = ['204080ff', 'f0e0c0ff'].map((colour) => Buffer.alloc(4 * BLOCK, colour, 'hex'));

/** A PNG of blocks of two colours in an order by chance: of 512 × 512, small as a file (10 KiB; 24 KiB when the service has encoded it anew), and much work. */
export const blocks = (side: number): Buffer => {
  const line = (): Buffer => Buffer.concat([Buffer.of(0), ...Array.from(randomBytes(side / BLOCK), (byte) => COLOURS[byte % 2] ?? Buffer.of())]);
  const lines = Array.from({ length: side / BLOCK }, line).flatMap((one) => Array.from({ length: BLOCK }, () => one));
  return pngOf(header(side, side), chunk('IDAT', deflateSync(Buffer.concat(lines))));
};
