import forge from 'node-forge';

import { RecentlyUsed } from '#kernel';

import { TAG } from './der.js';
import { MalformedDer } from './malformed-der.js';
import { readTime } from './read-time.js';

const MAX_DEPTH = 32;

/**
 * Reads DER strictly: anything that would be written differently (BER, trailing bytes, integers with
 * superfluous octets) is refused with {@link MalformedDer}, and so is any structure other than the one asked for.
 * A reader is a place in the bytes; nothing is copied before it is asked for (docs/adr/0094-reading-der-in-place.md).
 */
export class DerReader {
  private readonly inside: number;
  private readonly end: number;
  private parts: readonly DerReader[] | undefined;

  /** `source`: checked from `start` on. */
  private constructor(
    private readonly source: Buffer,
    private readonly start: number,
  ) {
    this.inside = insideOf(source, start);
    this.end = this.inside + contentLength(source, start);
  }

  /** One complete value of at most `limit` bytes, which are copied. */
  static parse(der: Uint8Array, limit: number): DerReader {
    if (der.byteLength > limit) throw new MalformedDer(`more than ${limit} bytes`);
    const source = Buffer.from(der);
    if (checkValue(source, 0, source.length, 0) !== source.length) throw new MalformedDer('bytes after the value');
    return new DerReader(source, 0);
  }

  /** The identifier octet; see {@link TAG}. */
  get tag(): number {
    return this.source[this.start] ?? 0;
  }

  /** The complete encoding, exactly as it was read: a copy. */
  get bytes(): Buffer {
    return Buffer.from(this.view);
  }

  /** {@link bytes} without a copy. They must not be changed. */
  get view(): Buffer {
    return this.source.subarray(this.start, this.end);
  }

  as(tag: number): this {
    if (this.tag !== tag) throw new MalformedDer(`tag ${hex(tag)} expected, ${hex(this.tag)} found`);
    return this;
  }

  /** The members of a constructed value. */
  members(tag?: number): readonly DerReader[] {
    if (tag !== undefined) this.as(tag);
    if (!(this.tag & CONSTRUCTED)) throw new MalformedDer('constructed value expected');
    this.parts ??= this.readMembers();
    return this.parts;
  }

  private readMembers(): readonly DerReader[] {
    const members: DerReader[] = [];
    for (let next = this.inside; next < this.end;) {
      const member = new DerReader(this.source, next);
      members.push(member);
      next = member.end;
    }
    return members;
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
    this.requirePrimitive();
    return Buffer.from(this.source.subarray(this.inside, this.end));
  }

  /** The content octets of a primitive value with any tag, one a character. */
  private latin1(): string {
    this.requirePrimitive();
    return this.source.toString('latin1', this.inside, this.end);
  }

  private requirePrimitive(): void {
    if (this.tag & CONSTRUCTED) throw new MalformedDer('primitive value expected');
  }

  oid(): string {
    const content = this.as(TAG.oid).latin1();
    if (content.length === 0 || content.charCodeAt(content.length - 1) & 0x80) throw new MalformedDer('object identifier');
    return dotted(content);
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
    return readTime(this.latin1(), this.tag);
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

const hex = (tag: number): string => `0x${tag.toString(16).padStart(2, '0')}`;

const CONSTRUCTED = 0x20;
const LONG_FORM = 0x80;
const MAX_LENGTH_OCTETS = 4;

/** Checks a value and all values in it. Answers where it ends. */
const checkValue = (source: Buffer, at: number, limit: number, depth: number): number => {
  if (depth >= MAX_DEPTH) throw new MalformedDer('nested too deep');
  checkHeader(source, at, limit);
  const inside = insideOf(source, at);
  const end = inside + contentLength(source, at);
  if (end > limit) throw new MalformedDer('a value is cut off');
  const identifier = source[at] ?? 0;
  if (identifier === TAG.integer && isPadded(source, inside, end)) throw new MalformedDer('an integer with superfluous octets');
  // X.690 §10.2
  if (identifier === (TAG.octetString | CONSTRUCTED)) throw new MalformedDer('a string in pieces');
  if (identifier & CONSTRUCTED) for (let next = inside; next < end;) next = checkValue(source, next, end, depth + 1);
  return end;
};

/** X.690 §8.1.2 and 10.1: one identifier octet, then the length in the fewest octets. Tag numbers above 30 take several octets and are refused. */
const checkHeader = (bytes: Buffer, at: number, limit: number): void => {
  const identifier = bytes[at] ?? 0x1f;
  const first = bytes[at + 1] ?? LONG_FORM;
  if (at + 2 > limit || (identifier & 0x1f) === 0x1f) throw new MalformedDer('no tag and length');
  if (first < LONG_FORM) return;
  const octets = first & 0x7f;
  if (octets === 0 || octets > MAX_LENGTH_OCTETS || at + 2 + octets > limit) throw new MalformedDer('indefinite or cut length');
  if (contentLength(bytes, at) < Math.max(LONG_FORM, 256 ** (octets - 1))) throw new MalformedDer('a length with superfluous octets');
};

/** Where the content octets begin. */
const insideOf = (bytes: Buffer, at: number): number => {
  const first = bytes[at + 1] ?? 0;
  return at + (first < LONG_FORM ? 2 : 2 + (first & 0x7f));
};

const contentLength = (bytes: Buffer, at: number): number => {
  const first = bytes[at + 1] ?? 0;
  return first < LONG_FORM ? first : bytes.readUIntBE(at + 2, first & 0x7f);
};

/** X.690 §8.3.2: the first nine bits of an INTEGER are neither all ones nor all zeros. */
const isPadded = (bytes: Buffer, from: number, to: number): boolean => {
  const first = bytes[from];
  const second = bytes[from + 1] ?? 0;
  return to - from > 1 && ((first === 0 && second < 0x80) || (first === 0xff && second >= 0x80));
};
