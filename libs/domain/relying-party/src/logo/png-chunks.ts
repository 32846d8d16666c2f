import { InvalidRequest } from '#kernel';

/** Pixels of a side. */
const SMALLEST_SIDE = 32;
const LARGEST_SIDE = 512;
/** One side may be this many times the other. */
const LONGEST_SHAPE = 4;

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** Bytes of a chunk beside its data: length, type, checksum. */
const FRAME = 12;
/** The bit depths of each colour type (PNG specification, table 11.1). */
const BIT_DEPTHS: Readonly<Record<number, readonly number[]>> = { 0: [1, 2, 4, 8, 16], 2: [8, 16], 3: [1, 2, 4, 8], 4: [8, 16], 6: [8, 16] };

/** A PNG whose size is known before a pixel of it is decoded. */
export interface JudgedPng {
  /** The chunks that hold pixels and colours, with the one header that was judged. A decoder finds no other header in it. */
  readonly png: Buffer;
  /** Pixels. */
  readonly width: number;
  readonly height: number;
}

/**
 * Judges a PNG by its chunks. Copies the header and what its pixels need (PLTE, tRNS, IDAT), and leaves out every other chunk that a decoder may ignore: texts, profiles, the further
 * frames of an animation. The decoder gets the copy, so that the header that was judged is the one it uses. Checksums and pixels are left to the decoder.
 *
 * Throws {@link InvalidRequest}, which says what is wrong with the field `image`.
 */
export const judgePng = (upload: Buffer): JudgedPng => {
  const [header, ...others] = [...chunksOf(upload)];
  if (header?.type !== 'IHDR' || header.data.length !== 13) throw refused('must be a PNG');
  const sides = sidesOf(header.data);
  if (others.some(({ type }) => type === 'IHDR')) throw refused('must have one header');
  const kept = others.filter(isKept);
  return { png: Buffer.concat([SIGNATURE, ...[header, ...kept].map(({ bytes }) => bytes)]), ...sides };
};

interface Chunk {
  readonly type: string;
  readonly data: Buffer;
  /** The chunk whole. */
  readonly bytes: Buffer;
}

/** The chunks up to IEND, which is the last one and ends the file (PNG specification, 5.3 and 5.6). */
function* chunksOf(png: Buffer): Generator<Chunk> {
  if (!png.subarray(0, SIGNATURE.length).equals(SIGNATURE)) throw refused('must be a PNG');
  let type = '';
  let at = SIGNATURE.length;
  while (type !== 'IEND') {
    if (png.length - at < FRAME) throw undecodable();
    const end = at + FRAME + png.readUInt32BE(at);
    type = png.toString('latin1', at + 4, at + 8);
    if (at === SIGNATURE.length && type !== 'IHDR') throw refused('must be a PNG');
    if (end > png.length) throw undecodable();
    yield { type, data: png.subarray(at + 8, end - 4), bytes: png.subarray(at, end) };
    at = end;
  }
  if (at !== png.length) throw undecodable();
}

/** A decoder must know every critical chunk. The first letter of all others is a small one (PNG specification, 5.4). */
const isKept = ({ type }: Chunk): boolean => {
  if (['PLTE', 'tRNS', 'IDAT', 'IEND'].includes(type)) return true;
  if ((type.charCodeAt(0) & 0x20) === 0) throw undecodable();
  return false;
};

/** Judges the header (PNG specification, 11.2.1). */
const sidesOf = (header: Buffer): { readonly width: number; readonly height: number } => {
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  const [bitDepth = 0, colourType = 0, compression, filter, interlace] = header.subarray(8);
  const [shorter, longer] = [Math.min(width, height), Math.max(width, height)];
  if (shorter < SMALLEST_SIDE || longer > LARGEST_SIDE) throw refused(`must be ${SMALLEST_SIDE} to ${LARGEST_SIDE} pixels wide and high`);
  if (longer > shorter * LONGEST_SHAPE) throw refused(`must not be longer than ${LONGEST_SHAPE} times its shorter side`);
  // An interlaced picture is inflated without a bound.
  if (interlace !== 0) throw refused('must not be interlaced');
  if (compression !== 0 || filter !== 0 || !BIT_DEPTHS[colourType]?.includes(bitDepth)) throw undecodable();
  return { width, height };
};

/** The refusal of a picture: `fault` follows the name of the field. */
export const refused = (fault: string, reason?: string): InvalidRequest => new InvalidRequest(`\`image\` ${fault}.`, reason);

export const undecodable = (): InvalidRequest => refused('cannot be decoded as a PNG');
