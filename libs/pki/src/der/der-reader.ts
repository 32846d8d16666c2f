import forge from 'node-forge';

import { type DerNode, encode, TAG } from './der.js';
import { MalformedDer } from './malformed-der.js';

const { asn1 } = forge;

// the options of forge 1.4, which its types leave out
const fromDer = asn1.fromDer as unknown as (bytes: string, options: { strict: boolean; decodeBitStrings: boolean; maxDepth: number }) => DerNode;

const MAX_DEPTH = 32;

/**
 * Reads DER strictly: anything that would be written differently (BER, trailing bytes, integers with
 * superfluous octets) is refused with {@link MalformedDer}, and so is any structure other than the one asked for.
 */
export class DerReader {
  private constructor(private readonly node: DerNode) {}

  /** One complete value of at most `limit` bytes. */
  static parse(der: Uint8Array, limit: number): DerReader {
    if (der.byteLength > limit) throw new MalformedDer(`more than ${limit} bytes`);
    const bytes = Buffer.from(der.buffer, der.byteOffset, der.byteLength);
    const reader = new DerReader(decode(bytes));
    if (!reader.bytes.equals(bytes)) throw new MalformedDer('not DER');
    return reader;
  }

  /** The identifier octet; see {@link TAG}. */
  get tag(): number {
    return this.node.tagClass | this.node.type | (this.node.constructed ? 0x20 : 0);
  }

  /** The complete encoding, exactly as it was read. */
  get bytes(): Buffer {
    return encode(this.node);
  }

  as(tag: number): this {
    if (this.tag !== tag) throw new MalformedDer(`tag ${hex(tag)} expected, ${hex(this.tag)} found`);
    return this;
  }

  /** The members of a constructed value. */
  members(tag?: number): readonly DerReader[] {
    if (tag !== undefined) this.as(tag);
    if (!Array.isArray(this.node.value)) throw new MalformedDer('constructed value expected');
    return this.node.value.map((member) => new DerReader(member));
  }

  /** The members, to be taken in their order. Default: those of a SEQUENCE. */
  fields(tag: number = TAG.sequence): DerFields {
    return new DerFields(this.members(tag));
  }

  /** The one member of an EXPLICIT tag or of a SET OF that may hold one value only. */
  only(tag: number): DerReader {
    const fields = this.fields(tag);
    const member = fields.take();
    fields.end();
    return member;
  }

  /** The content octets of a primitive value with any tag. */
  content(): Buffer {
    if (typeof this.node.value !== 'string') throw new MalformedDer('primitive value expected');
    return Buffer.from(this.node.value, 'latin1');
  }

  oid(): string {
    const content = this.as(TAG.oid).content();
    if (content.length === 0 || (content.at(-1) ?? 0) & 0x80) throw new MalformedDer('object identifier');
    return asn1.derToOid(content.toString('latin1'));
  }

  octets(): Buffer {
    return this.as(TAG.octetString).content();
  }

  /** The octets of a BIT STRING without unused bits. */
  bits(): Buffer {
    const content = this.as(TAG.bitString).content();
    if (content[0] !== 0) throw new MalformedDer('bit string of whole octets expected');
    return content.subarray(1);
  }

  /** The content octets of an INTEGER. */
  integer(): Buffer {
    const content = this.as(TAG.integer).content();
    if (content.length === 0) throw new MalformedDer('empty integer');
    return content;
  }

  /** A non-negative INTEGER or ENUMERATED below 2^31. */
  small(tag: number = TAG.integer): number {
    const content = this.as(tag).content();
    if (content.length === 0 || content.length > 4 || (content[0] ?? 0) & 0x80) throw new MalformedDer('small number expected');
    return content.readUIntBE(0, content.length);
  }

  boolean(): boolean {
    const content = this.as(TAG.boolean).content();
    if (content.length !== 1 || (content[0] !== 0 && content[0] !== 0xff)) throw new MalformedDer('boolean');
    return content[0] !== 0;
  }

  /** Epoch milliseconds of a UTCTime or GeneralizedTime in UTC; a fraction of a second counts down to the millisecond. */
  time(): number {
    const text = this.content().toString('latin1');
    const pattern = this.tag === TAG.utcTime ? UTC_TIME : this.tag === TAG.generalizedTime ? GENERALIZED_TIME : undefined;
    const parts = pattern?.exec(text)?.slice(1);
    if (!parts) throw new MalformedDer('time in UTC expected');
    const [year = '', month = '', day = '', hour = '', minute = '', second = '', fraction = ''] = parts;
    const century = year.length === 4 ? '' : Number(year) < 50 ? '20' : '19';
    const iso = `${century}${year}-${month}-${day}T${hour}:${minute}:${second}`;
    const at = Date.parse(`${iso}Z`);
    if (Number.isNaN(at) || !new Date(at).toISOString().startsWith(iso)) throw new MalformedDer('no such time');
    return at + (fraction ? Math.floor(Number(`0${fraction}`) * 1000) : 0);
  }
}

/** A SEQUENCE's members, taken one after the other: optional ones may be skipped, none may be left at the end. */
export class DerFields {
  private next = 0;

  constructor(private readonly members: readonly DerReader[]) {}

  take(tag?: number): DerReader {
    const member = this.members[this.next];
    if (!member) throw new MalformedDer('a field is missing');
    this.next += 1;
    return tag === undefined ? member : member.as(tag);
  }

  /** The next member if it has one of the tags. */
  maybe(...tags: readonly number[]): DerReader | undefined {
    const member = this.members[this.next];
    return member && tags.includes(member.tag) ? this.take() : undefined;
  }

  end(): void {
    if (this.next < this.members.length) throw new MalformedDer('a field too many');
  }
}

const UTC_TIME = /^(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z$/;
// X.690 §11.7: a fraction has no trailing zero
const GENERALIZED_TIME = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\.\d{0,8}[1-9])?Z$/;

const hex = (tag: number): string => `0x${tag.toString(16).padStart(2, '0')}`;

const decode = (bytes: Buffer): DerNode => {
  try {
    return fromDer(bytes.toString('latin1'), { strict: true, decodeBitStrings: false, maxDepth: MAX_DEPTH });
  } catch (cause) {
    throw new MalformedDer('not ASN.1', { cause });
  }
};
