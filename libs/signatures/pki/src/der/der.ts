import forge from 'node-forge';

import { RecentlyUsed } from '#kernel';

import { MalformedDer } from './malformed-der.js';

const { asn1 } = forge;

/** A value to be written in DER (X.690). Made by the functions of this file only; see {@link encode}. */
export interface DerNode {
  readonly identifier: number;
  /** The number of content octets. */
  readonly length: number;
  /** The content octets; absent of a value that is made of others. */
  readonly octets: Uint8Array | undefined;
  readonly parts: readonly DerNode[];
}

/** Identifier octets that readers and writers name. */
export const TAG = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  nul: 0x05,
  oid: 0x06,
  enumerated: 0x0a,
  utf8String: 0x0c,
  printableString: 0x13,
  ia5String: 0x16,
  utcTime: 0x17,
  generalizedTime: 0x18,
  sequence: 0x30,
  set: 0x31,
  /** `[number]`, primitive (IMPLICIT over a primitive type). */
  primitive: (number: number) => 0x80 | number,
  /** `[number]`, constructed (EXPLICIT, or IMPLICIT over a constructed type). */
  constructed: (number: number) => 0xa0 | number,
} as const;

const CLASS_BITS = 0xc0;
const LONG_FORM = 0x80;

/** Whether the value has a tag of ASN.1's own, not one of its context. */
export const isUniversal = ({ identifier }: DerNode): boolean => (identifier & CLASS_BITS) === 0;

/** The bytes of a value and of all values in it (docs/adr/0099-the-cost-of-a-container.md). */
export const encode = (node: DerNode): Buffer => {
  const bytes = Buffer.allocUnsafe(sizeOf(node));
  write(node, bytes, 0);
  return bytes;
};

/** X.690 §8.1.3 and 10.1: the octets that say a length, in the fewest: one below 128, and otherwise one that counts the others. */
const lengthOctets = (length: number): number => {
  if (length < LONG_FORM) return 1;
  if (length < 2 ** 8) return 2;
  if (length < 2 ** 16) return 3;
  return length < 2 ** 24 ? 4 : 5;
};

const sizeOf = ({ length }: DerNode): number => 1 + lengthOctets(length) + length;

/** Answers where the value ends. */
const write = ({ identifier, length, octets, parts }: DerNode, into: Buffer, at: number): number => {
  into[at] = identifier;
  const more = lengthOctets(length) - 1;
  into[at + 1] = more === 0 ? length : LONG_FORM | more;
  if (more > 0) into.writeUIntBE(length, at + 2, more);
  let next = at + 2 + more;
  if (octets) {
    into.set(octets, next);
    return next + length;
  }
  for (const part of parts) next = write(part, into, next);
  return next;
};

/** A value that is already in DER: it is written out unchanged, never parsed and built anew. */
export const raw = (der: Uint8Array): DerNode => {
  const bytes = Buffer.from(der.buffer, der.byteOffset, der.byteLength);
  const [identifier = 0] = bytes;
  return contents(identifier, bytes.subarray(headerLength(bytes)));
};

/** Of one value with one identifier octet and a length in the fewest octets. */
const headerLength = (bytes: Buffer): number => {
  const [identifier = 0x1f, first = LONG_FORM] = bytes;
  const more = first < LONG_FORM ? 0 : first & 0x7f;
  const length = more === 0 ? first : more <= 4 && bytes.length > more + 2 ? bytes.readUIntBE(2, more) : -1;
  const minimal = 1 + more === lengthOctets(length);
  if ((identifier & 0x1f) === 0x1f || !minimal || 2 + more + length !== bytes.length) throw new MalformedDer('not one value in DER');
  return 2 + more;
};

/** Contents under any identifier octet. The bytes are copied by {@link encode}: do not change them before. */
export const contents = (identifier: number, bytes: Uint8Array): DerNode => ({ identifier, length: bytes.length, octets: bytes, parts: [] });

const constructed = (identifier: number, parts: readonly DerNode[]): DerNode => ({
  identifier,
  length: parts.reduce((sum, part) => sum + sizeOf(part), 0),
  octets: undefined,
  parts,
});

export const sequence = (...parts: readonly DerNode[]): DerNode => constructed(TAG.sequence, parts);

/** X.690 §11.6: the members of a SET OF stand in ascending order of their encodings, compared as byte strings. */
export const setOf = (...members: readonly DerNode[]): DerNode => constructed(TAG.set, sortedSetMembers(members));

/** `[number] IMPLICIT SET OF`. */
export const implicitSetOf = (number: number, ...members: readonly DerNode[]): DerNode =>
  constructed(TAG.constructed(number), sortedSetMembers(members));

// X.690 §11.6 pads the shorter encoding with zeros, but no complete encoding is the beginning of another one
const sortedSetMembers = (members: readonly DerNode[]): readonly DerNode[] =>
  members.length < 2 ? members : members.map(encode).sort(Buffer.compare).map(raw);

/** `[number] EXPLICIT`, or `[number] IMPLICIT` over a SEQUENCE whose parts are given. */
export const tagged = (number: number, ...parts: readonly DerNode[]): DerNode => constructed(TAG.constructed(number), parts);

/** A non-negative INTEGER: a number, or its big-endian bytes with or without leading zeros. */
export const integer = (value: number | Uint8Array): DerNode => contents(TAG.integer, unsigned(value));

export const enumerated = (value: number): DerNode => contents(TAG.enumerated, unsigned(value));

/** X.690 §8.3: the fewest octets, with a zero in front when the top bit would read as a sign. */
const unsigned = (value: number | Uint8Array): Buffer => {
  const bytes = typeof value === 'number' ? Buffer.from(value.toString(16).padStart(14, '0'), 'hex') : Buffer.from(value);
  const first = bytes.findIndex((byte) => byte !== 0);
  if (first < 0) return Buffer.of(0);
  const significant = bytes.subarray(first);
  return (significant[0] ?? 0) & 0x80 ? Buffer.concat([Buffer.of(0), significant]) : significant;
};

/** The same few dozen stand in every structure. */
const objectIdentifiers = new RecentlyUsed<string, DerNode>(500);

export const oid = (dotted: string): DerNode => {
  const known = objectIdentifiers.get(dotted);
  if (known) return known;
  const value = contents(TAG.oid, Buffer.from(asn1.oidToDer(dotted).getBytes(), 'latin1'));
  objectIdentifiers.set(dotted, value);
  return value;
};

export const octetString = (bytes: Uint8Array): DerNode => contents(TAG.octetString, bytes);
/** A BIT STRING of whole octets. */
export const bitString = (bytes: Uint8Array): DerNode => contents(TAG.bitString, Buffer.concat([Buffer.of(0), bytes]));
export const nul = (): DerNode => contents(TAG.nul, Buffer.alloc(0));
export const boolean = (value: boolean): DerNode => contents(TAG.boolean, Buffer.of(value ? 0xff : 0));

/** Whole seconds, rounded down. Epoch milliseconds. Years 1950 to 2049. */
export const utcTime = (at: number): DerNode => contents(TAG.utcTime, Buffer.from(asn1.dateToUtcTime(new Date(at))));
/** Whole seconds, rounded down. Epoch milliseconds. */
export const generalizedTime = (at: number): DerNode => contents(TAG.generalizedTime, Buffer.from(asn1.dateToGeneralizedTime(new Date(at))));

const YEAR_2050 = Date.UTC(2050, 0, 1);

/** RFC 5280 §4.1.2.5 and RFC 5652 §11.3: UTCTime through 2049, GeneralizedTime from 2050 on. Epoch milliseconds. */
export const time = (at: number): DerNode => (at < YEAR_2050 ? utcTime(at) : generalizedTime(at));
