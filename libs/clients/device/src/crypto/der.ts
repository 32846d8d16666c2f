import { type Bytes, concat } from './bytes.js';

/** The parts of DER (X.690) that a certification request and the check of signed attributes need. */
export const Tag = {
  INTEGER: 0x02,
  BIT_STRING: 0x03,
  OCTET_STRING: 0x04,
  NULL: 0x05,
  OBJECT_IDENTIFIER: 0x06,
  UTF8_STRING: 0x0c,
  UTC_TIME: 0x17,
  GENERALIZED_TIME: 0x18,
  SEQUENCE: 0x30,
  SET: 0x31,
  CONTEXT_0: 0xa0,
} as const;

export const tlv = (tag: number, ...contents: readonly Uint8Array[]): Bytes => {
  const content = concat(...contents);
  return concat(Uint8Array.of(tag, ...lengthOctets(content.length)), content);
};

const lengthOctets = (length: number): readonly number[] => {
  if (length < 0x80) return [length];
  const octets: number[] = [];
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) octets.unshift(rest % 256);
  return [0x80 | octets.length, ...octets];
};

/** A non-negative INTEGER from big-endian bytes: minimal, with a zero in front if the top bit is set. */
export const integer = (bytes: Uint8Array): Bytes => {
  let start = 0;
  while (start < bytes.length - 1 && bytes[start] === 0) start += 1;
  const minimal = bytes.subarray(start);
  return tlv(Tag.INTEGER, (minimal[0] ?? 0) >= 0x80 ? Uint8Array.of(0) : Uint8Array.of(), minimal);
};

/** @param dotted an OBJECT IDENTIFIER whose arcs fit 31 bits */
export const objectIdentifier = (dotted: string): Bytes => {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  return tlv(Tag.OBJECT_IDENTIFIER, Uint8Array.from([first * 40 + second, ...rest].flatMap(base128)));
};

const base128 = (arc: number): number[] => {
  const octets = [arc & 0x7f];
  for (let rest = arc >>> 7; rest > 0; rest >>>= 7) octets.unshift(0x80 | (rest & 0x7f));
  return octets;
};

/** An ECDSA signature in the form of X.509, from the r‖s of WebCrypto (IEEE P1363). */
export const ecdsaSignatureValue = (p1363: Uint8Array): Bytes => {
  const half = p1363.length / 2;
  return tlv(Tag.SEQUENCE, integer(p1363.subarray(0, half)), integer(p1363.subarray(half)));
};

/**
 * The r‖s of an ECDSA signature (IEEE P1363) from the form of X.509, as the Secure Enclave and Android's Keystore give it. Undefined for anything else.
 *
 * @param size bytes of each number: 32 of P-256, 48 of P-384
 */
export const fromDerSignature = (der: Bytes, size: number): Bytes | undefined => {
  const [sequence, ...more] = readElements(der) ?? [];
  const numbers = sequence?.tag === Tag.SEQUENCE && more.length === 0 ? readElements(sequence.content) : undefined;
  if (numbers?.length !== 2) return undefined;
  const padded = numbers.map(({ tag, content }) => {
    const bytes = content[0] === 0 ? content.subarray(1) : content;
    return tag === Tag.INTEGER && bytes.length <= size ? concat(new Uint8Array(size - bytes.length), bytes) : undefined;
  });
  const [r, s] = padded;
  return r && s && concat(r, s);
};

export interface DerElement {
  readonly tag: number;
  readonly content: Bytes;
}

/** The elements that follow each other in these bytes, or undefined when they are not DER from end to end. */
export const readElements = (bytes: Bytes): readonly DerElement[] | undefined => {
  const elements: DerElement[] = [];
  let at = 0;
  while (at < bytes.length) {
    const tag = bytes[at];
    const length = readLength(bytes, at + 1);
    if (tag === undefined || length === undefined || (tag & 0x1f) === 0x1f) return undefined;
    const end = length.contentAt + length.value;
    if (end > bytes.length) return undefined;
    elements.push({ tag, content: bytes.subarray(length.contentAt, end) });
    at = end;
  }
  return elements;
};

const readLength = (bytes: Bytes, at: number): { value: number; contentAt: number } | undefined => {
  const first = bytes[at];
  if (first === undefined) return undefined;
  if (first < 0x80) return { value: first, contentAt: at + 1 };
  const count = first & 0x7f;
  if (count === 0 || count > 3) return undefined;
  let value = 0;
  for (const octet of bytes.subarray(at + 1, at + 1 + count)) value = value * 256 + octet;
  const minimal = value >= 0x80 && value >= 256 ** (count - 1);
  return minimal ? { value, contentAt: at + 1 + count } : undefined;
};
