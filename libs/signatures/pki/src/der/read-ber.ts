import { DerReader } from './der-reader.js';
import { MalformedDer } from './malformed-der.js';

const MAX_DEPTH = 32;
const CONSTRUCTED = 0x20;
const LONG_FORM = 0x80;
const INDEFINITE = 0x80;
const OCTET_STRING = 0x04;
const MAX_LENGTH_OCTETS = 8;

/**
 * Reads a value that may be in BER. CMS, and the envelopes of time-stamps, OCSP responses and lists, may come so (RFC 5652 §2): with lengths that are
 * indefinite or longer than they need to be, and octet strings in pieces. These are written anew in DER; a value that is in DER stays as it is, byte for
 * byte, and so does each part in DER of a value that is not. The parts that are signed are DER by their standards, so their signatures still verify; a
 * signature over BER does not. The limit is in bytes. Throws {@link MalformedDer} for what is neither.
 */
export const readBer = (bytes: Uint8Array, limit: number): DerReader => {
  try {
    return DerReader.parse(bytes, limit);
  } catch (error) {
    if (!(error instanceof MalformedDer) || bytes.byteLength > limit) throw error;
    const converted = convertAll(Buffer.from(bytes), error);
    return DerReader.parse(converted, converted.length);
  }
};

/** `reason`: why the bytes are not DER, for those that are not BER either. */
const convertAll = (source: Buffer, reason: MalformedDer): Buffer => {
  const { value, end } = convert(source, 0, source.length, 0);
  if (end !== source.length) throw reason;
  return value;
};

interface Converted {
  readonly value: Buffer;
  /** The offset after the value in the source. */
  readonly end: number;
}

const convert = (source: Buffer, at: number, limit: number, depth: number): Converted => {
  if (depth >= MAX_DEPTH) throw new MalformedDer('nested too deep');
  const tag = source[at];
  const first = source[at + 1];
  if (at + 2 > limit || tag === undefined || first === undefined || (tag & 0x1f) === 0x1f) throw new MalformedDer('no tag and length');
  if (first === INDEFINITE) {
    if (!(tag & CONSTRUCTED)) throw new MalformedDer('indefinite length of a primitive value');
    const { parts, end } = partsUntilEnd(source, at + 2, limit, depth);
    return { value: joined(tag, parts), end };
  }
  const { inside, end } = definite(source, at, limit);
  if (!(tag & CONSTRUCTED)) return { value: headed(tag, [source.subarray(inside, end)]), end };
  const parts: Buffer[] = [];
  for (let next = inside; next < end;) {
    const part = convert(source, next, end, depth + 1);
    parts.push(part.value);
    next = part.end;
  }
  return { value: joined(tag, parts), end };
};

/** X.690 §8.1.5: the contents end with two octets of zero. */
const partsUntilEnd = (source: Buffer, from: number, limit: number, depth: number) => {
  const parts: Buffer[] = [];
  let next = from;
  for (;;) {
    if (next + 2 > limit) throw new MalformedDer('a value is cut off');
    if (source[next] === 0 && source[next + 1] === 0) return { parts, end: next + 2 };
    const part = convert(source, next, limit, depth + 1);
    parts.push(part.value);
    next = part.end;
  }
};

const definite = (source: Buffer, at: number, limit: number) => {
  const first = source[at + 1] ?? 0;
  const octets = first < LONG_FORM ? 0 : first & 0x7f;
  if (octets > MAX_LENGTH_OCTETS || at + 2 + octets > limit) throw new MalformedDer('a length is cut off');
  let length = octets === 0 ? first : 0;
  for (const octet of source.subarray(at + 2, at + 2 + octets)) length = length * 256 + octet;
  const inside = at + 2 + octets;
  if (inside + length > limit) throw new MalformedDer('a value is cut off');
  return { inside, end: inside + length };
};

/** X.690 §8.7.3: an octet string in pieces is the same value as the whole one. */
const joined = (tag: number, parts: readonly Buffer[]): Buffer =>
  tag === (OCTET_STRING | CONSTRUCTED) ? headed(OCTET_STRING, parts.map(octetsOf)) : headed(tag, parts);

const octetsOf = (part: Buffer): Buffer => {
  if (part[0] !== OCTET_STRING) throw new MalformedDer('a piece of an octet string is none');
  const first = part[1] ?? 0;
  return part.subarray(first < LONG_FORM ? 2 : 2 + (first & 0x7f));
};

const headed = (tag: number, contents: readonly Uint8Array[]): Buffer => {
  const length = contents.reduce((sum, { length: octets }) => sum + octets, 0);
  if (length < LONG_FORM) return Buffer.concat([Buffer.of(tag, length), ...contents]);
  const octets = length < 2 ** 8 ? 1 : length < 2 ** 16 ? 2 : length < 2 ** 24 ? 3 : 4;
  const header = Buffer.alloc(2 + octets);
  header[0] = tag;
  header[1] = LONG_FORM | octets;
  header.writeUIntBE(length, 2, octets);
  return Buffer.concat([header, ...contents]);
};
