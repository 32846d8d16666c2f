/**
 * The program of the child process in which pictures are decoded (docs/adr/0102-pictures-in-a-child-process.md). Each frame of the standard input is a PNG whose chunks were
 * judged. The frame of the answer is a byte that says what became of it, and the PNG of the same pixels, encoded anew. A frame begins with its length, in four bytes.
 * Node runs this file from its source too, so it imports packages only. Its argument is the number of bytes that the new PNG may have.
 */
import { inflateSync } from 'node:zlib';

import { PNG } from 'pngjs';

/** Values of a pixel by colour type (PNG specification, table 11.1). */
const CHANNELS: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };

/** The bytes of all lines, each with the byte of its filter (PNG specification, 7.2). */
const bytesOfPixels = (png: Buffer): number => {
  const bitsOfPixel = (CHANNELS[png.readUInt8(25)] ?? 0) * png.readUInt8(24);
  return (Math.ceil((png.readUInt32BE(16) * bitsOfPixel) / 8) + 1) * png.readUInt32BE(20);
};

const compressedPixels = (png: Buffer): Buffer => {
  const parts: Buffer[] = [];
  for (let at = 8, length; at < png.length; at += 12 + length) {
    length = png.readUInt32BE(at);
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT') parts.push(png.subarray(at + 8, at + 8 + length));
  }
  return Buffer.concat(parts);
};

/** pngjs fills the place of pixels that are missing with memory that was used before, and so would show it. */
const hasAllPixels = (png: Buffer): boolean => {
  const expected = bytesOfPixels(png);
  return inflateSync(compressedPixels(png), { maxOutputLength: expected }).length === expected;
};

const DECODED = 0;
const UNDECODABLE = 1;
const TOO_LARGE = 2;

const answerTo = (png: Buffer): readonly [outcome: number, image?: Buffer] => {
  try {
    if (!hasAllPixels(png)) return [UNDECODABLE];
    const { width, height, data } = PNG.sync.read(png);
    const picture = new PNG({ width, height });
    picture.data = data;
    const image = PNG.sync.write(picture, { colorType: 6, deflateLevel: 9 });
    return image.length > Number(process.argv[2]) ? [TOO_LARGE] : [DECODED, image];
  } catch {
    return [UNDECODABLE];
  }
};

let received: Buffer = Buffer.of();
process.stdin.on('data', (bytes: Buffer) => {
  received = Buffer.concat([received, bytes]);
  while (received.length >= 4 && received.length >= 4 + received.readUInt32BE(0)) {
    const end = 4 + received.readUInt32BE(0);
    const [outcome, image = Buffer.of()] = answerTo(received.subarray(4, end));
    const head = Buffer.alloc(5);
    head.writeUInt32BE(1 + image.length);
    head[4] = outcome;
    process.stdout.write(Buffer.concat([head, image]));
    received = received.subarray(end);
  }
});
