import forge from 'node-forge';

import { RecentlyUsed } from '#kernel';

import { TAG } from './der.js';
import { MalformedDer } from './malformed-der.js';

const MAX_DEPTH = 32;

/**
 * Reads DER strictly: anything that would be written differently (BER, trailing bytes, integers with
 * superfluous octets) is refused with {@link MalformedDer}, and so is any structure other than the one asked for.
 * A reader is a place in the bytes; nothing is copied before it is asked for (docs/adr/0094-reading-der-in-place.md).
 */
export class DerReader {
  private constructor(
    private readonly source: Buffer,
    private readonly start: number,
    /** Where the content octets begin. */
    private readonly inside: number,
    private readonly end: number,
    /** Undefined for a primitive value. */
    private readonly parts: readonly DerReader[] | undefined,
  ) {}

  /** One complete value of at most `limit` bytes, which are copied. */
  static parse(der: Uint8Array, limit: number): DerReader {
    if (der.byteLength > limit) throw new MalformedDer(`more than ${limit} bytes`);
    const source = Buffer.from(der);
    const reader = DerReader.read(source, { at: 0, limit: source.length, depth: 0 });
    if (reader.end !== source.length) throw new MalformedDer('bytes after the value');
    return reader;
  }

  private static read(source: Buffer, { at, limit, depth }: Place): DerReader {
    if (depth >= MAX_DEPTH) throw new MalformedDer('nested too deep');
    const inside = at + headerLength(source, at, limit);
    const end = inside + contentLength(source, at);
    if (end > limit) throw new MalformedDer('a value is cut off');
    const identifier = source[at] ?? 0;
    if (identifier === TAG.integer && isPadded(source, inside, end)) throw new MalformedDer('an integer with superfluous octets');
    if (!(identifier & CONSTRUCTED)) return new DerReader(source, at, inside, end, undefined);
    const parts: DerReader[] = [];
    for (let next = inside; next < end;) {
      const part = DerReader.read(source, { at: next, limit: end, depth: depth + 1 });
      parts.push(part);
      next = part.end;
    }
    return new DerReader(source, at, inside, end, parts);
  }

  /** The identifier octet; see {@link TAG}. */
  get tag(): number {
    return this.source[this.start] ?? 0;
  }

  /** The complete encoding, exactly as it was read: a copy. */
  get bytes(): Buffer {
    return Buffer.from(this.source.subarray(this.start, this.end));
  }

  as(tag: number): this {
    if (this.tag !== tag) throw new MalformedDer(`tag ${hex(tag)} expected, ${hex(this.tag)} found`);
    return this;
  }

  /** The members of a constructed value. */
  members(tag?: number): readonly DerReader[] {
    if (tag !== undefined) this.as(tag);
    if (!this.parts) throw new MalformedDer('constructed value expected');
    return this.parts;
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

  /** The content octets of a primitive value with any tag: a copy. */
  content(): Buffer {
    if (this.parts) throw new MalformedDer('primitive value expected');
    return Buffer.from(this.source.subarray(this.inside, this.end));
  }

  oid(): string {
    const content = this.as(TAG.oid).content();
    if (content.length === 0 || (content.at(-1) ?? 0) & 0x80) throw new MalformedDer('object identifier');
    return dotted(content.toString('latin1'));
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

/** Content octets of object identifiers, one octet a character, to their dotted form. The same few dozen stand in every structure. */
const dottedForms = new RecentlyUsed<string, string>(500);

const dotted = (octets: string): string => {
  const known = dottedForms.get(octets);
  if (known !== undefined) return known;
  const form = forge.asn1.derToOid(octets);
  dottedForms.set(octets, form);
  return form;
};

const UTC_TIME = /^(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z$/;
// X.690 §11.7: a fraction has no trailing zero
const GENERALIZED_TIME = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\.\d{0,8}[1-9])?Z$/;

const hex = (tag: number): string => `0x${tag.toString(16).padStart(2, '0')}`;

/** Where a value begins, where the bytes end that it may take, and how many values hold it. */
interface Place {
  readonly at: number;
  readonly limit: number;
  readonly depth: number;
}

const CONSTRUCTED = 0x20;
const LONG_FORM = 0x80;
const MAX_LENGTH_OCTETS = 4;

/** X.690 §8.1.2 and 10.1: one identifier octet, then the length in the fewest octets. Tag numbers above 30 take several octets and are refused. */
const headerLength = (bytes: Buffer, at: number, limit: number): number => {
  const [identifier = 0x1f, first = LONG_FORM] = [bytes[at], bytes[at + 1]];
  if (at + 2 > limit || (identifier & 0x1f) === 0x1f) throw new MalformedDer('no tag and length');
  if (first < LONG_FORM) return 2;
  const octets = first & 0x7f;
  if (octets === 0 || octets > MAX_LENGTH_OCTETS || at + 2 + octets > limit) throw new MalformedDer('indefinite or cut length');
  if (contentLength(bytes, at) < Math.max(LONG_FORM, 256 ** (octets - 1))) throw new MalformedDer('a length with superfluous octets');
  return 2 + octets;
};

const contentLength = (bytes: Buffer, at: number): number => {
  const first = bytes[at + 1] ?? 0;
  return first < LONG_FORM ? first : bytes.readUIntBE(at + 2, first & 0x7f);
};

/** X.690 §8.3.2: the first nine bits of an INTEGER are neither all ones nor all zeros. */
const isPadded = (bytes: Buffer, from: number, to: number): boolean => {
  const [first, second = 0] = [bytes[from], bytes[from + 1]];
  return to - from > 1 && ((first === 0 && second < 0x80) || (first === 0xff && second >= 0x80));
};
