import forge from 'node-forge';

import { MalformedDer } from './malformed-der.js';

const { asn1 } = forge;

/** A value to be written in DER (X.690). Made by the functions of this file only; see {@link encode}. */
export type DerNode = forge.asn1.Asn1;

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

/** Whether the value has a tag of ASN.1's own, not one of its context. */
export const isUniversal = ({ tagClass }: DerNode): boolean => (tagClass & CLASS_BITS) === 0;

export const encode = (node: DerNode): Buffer => Buffer.from(asn1.toDer(node).getBytes(), 'latin1');

/** A value that is already in DER: it is written out unchanged, never parsed and built anew. */
export const raw = (der: Uint8Array): DerNode => {
  const bytes = Buffer.from(der.buffer, der.byteOffset, der.byteLength);
  const [identifier = 0] = bytes;
  return opaque(identifier, bytes.toString('latin1', headerLength(bytes)));
};

/** X.690 §10.1: one identifier octet, and the length in the fewest octets, as forge will write them again. */
const headerLength = (bytes: Buffer): number => {
  const [identifier = 0x1f, first = 0x80] = bytes;
  const octets = first < 0x80 ? 0 : first & 0x7f;
  const length = octets === 0 ? first : octets <= 4 && bytes.length > octets + 2 ? bytes.readUIntBE(2, octets) : -1;
  const minimal = octets === 0 || length >= Math.max(0x80, 256 ** (octets - 1));
  if ((identifier & 0x1f) === 0x1f || !minimal || 2 + octets + length !== bytes.length) throw new MalformedDer('not one value in DER');
  return 2 + octets;
};

/** Contents under any identifier octet, copied as they are. */
export const contents = (identifier: number, bytes: Uint8Array): DerNode => opaque(identifier, Buffer.from(bytes).toString('latin1'));

/**
 * A value that forge writes as it is: it writes tagClass | type first, so the whole identifier stands in the class. By the type it would shorten
 * integers and write each octet of a BMPString as two.
 */
const opaque = (identifier: number, octets: string): DerNode => asn1.create(identifier, 0, false, octets);

export const sequence = (...parts: readonly DerNode[]): DerNode => asn1.create(0, 16, true, [...parts]);

/** X.690 §11.6: the members of a SET OF stand in ascending order of their encodings, compared as byte strings. */
export const setOf = (...members: readonly DerNode[]): DerNode => asn1.create(0, 17, true, sortedSetMembers(members));

/** `[number] IMPLICIT SET OF`. */
export const implicitSetOf = (number: number, ...members: readonly DerNode[]): DerNode => asn1.create(0x80, number, true, sortedSetMembers(members));

// X.690 §11.6 pads the shorter encoding with zeros, but no complete encoding is the beginning of another one
const sortedSetMembers = (members: readonly DerNode[]): DerNode[] => members.map(encode).sort(Buffer.compare).map(raw);

/** `[number] EXPLICIT`, or `[number] IMPLICIT` over a SEQUENCE whose parts are given. */
export const tagged = (number: number, ...parts: readonly DerNode[]): DerNode => asn1.create(0x80, number, true, [...parts]);

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

export const oid = (dotted: string): DerNode => asn1.create(0, 6, false, asn1.oidToDer(dotted).getBytes());
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
