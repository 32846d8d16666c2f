import { createHash } from 'node:crypto';

import { PNG } from 'pngjs';

import { InvalidRequest } from '#kernel';

import type { Logo } from '../domain/client-logo.js';

/** Bytes, of the upload and of what is stored. */
const MOST_BYTES = 32 * 1024;
/** Pixels of a side. */
const SMALLEST_SIDE = 32;
const LARGEST_SIDE = 512;
/** One side may be this many times the other. */
const LONGEST_SHAPE = 4;

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/**
 * Decodes the picture and encodes its pixels anew: the service hands out bytes of its own, without metadata and without anything behind the
 * picture. The size is judged before the pixels are decoded, so that a small file cannot become a large picture.
 *
 * Throws {@link InvalidRequest}, which says what is wrong with the field `image`.
 */
export const logoOf = (base64: string): Logo => {
  const upload = Buffer.from(base64, 'base64');
  if (upload.toString('base64') !== base64) throw refused('must be base64');
  if (upload.length > MOST_BYTES) throw refused('must have at most 32 KiB');
  const { width, height } = sidesOf(upload);
  const image = reencoded(upload);
  if (image.length > MOST_BYTES) throw refused('must have at most 32 KiB once it is encoded anew; use fewer colours or pixels');
  return { hash: createHash('sha256').update(image).digest('hex'), image: image.toString('base64'), width, height };
};

/** Reads the header chunk (PNG specification, 11.2.1). */
const sidesOf = (png: Buffer): { readonly width: number; readonly height: number } => {
  if (png.length < 33 || !png.subarray(0, 8).equals(SIGNATURE) || png.toString('latin1', 12, 16) !== 'IHDR') throw refused('must be a PNG');
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)];
  const [shorter, longer] = [Math.min(width, height), Math.max(width, height)];
  if (shorter < SMALLEST_SIDE || longer > LARGEST_SIDE) throw refused(`must be ${SMALLEST_SIDE} to ${LARGEST_SIDE} pixels wide and high`);
  if (longer > shorter * LONGEST_SHAPE) throw refused(`must not be longer than ${LONGEST_SHAPE} times its shorter side`);
  // An interlaced picture is inflated without a bound.
  if (png[28] !== 0) throw refused('must not be interlaced');
  return { width, height };
};

const reencoded = (upload: Buffer): Buffer => {
  try {
    const { width, height, data } = PNG.sync.read(upload);
    const picture = new PNG({ width, height });
    picture.data = data;
    return PNG.sync.write(picture, { colorType: 6, deflateLevel: 9 });
  } catch {
    throw refused('cannot be decoded as a PNG');
  }
};

const refused = (fault: string): InvalidRequest => new InvalidRequest(`\`image\` ${fault}.`);
