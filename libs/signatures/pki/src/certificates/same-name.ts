import { TAG } from '../der/der.js';
import { DerReader } from '../der/der-reader.js';
import { MalformedDer } from '../der/malformed-der.js';

const MAX_NAME_BYTES = 16 * 1024;

const BMP_STRING = 0x1e;
/** The string types of a name whose values are compared as text, each with its encoding. */
const TEXTS: Readonly<Record<number, 'latin1' | 'utf8' | 'utf16be'>> = {
  [TAG.printableString]: 'latin1',
  [TAG.utf8String]: 'utf8',
  [TAG.ia5String]: 'latin1',
  [BMP_STRING]: 'utf16be',
};

/**
 * Whether two DER Names are the same by RFC 5280 §7.1: upper and lower case, the type of a string, and the amount of white space do not count, and the
 * attributes of one part of a name (RDN) have no order. A malformed name is the same as its own copy only.
 */
export const sameName = (one: Buffer, other: Buffer): boolean => {
  if (one.equals(other)) return true;
  try {
    return comparable(one) === comparable(other);
  } catch (error) {
    if (error instanceof MalformedDer) return false;
    throw error;
  }
};

/** By the buffer itself: a certificate keeps those of its names, and a search for an issuer compares each of them many times. */
const comparableForms = new WeakMap<Buffer, string>();

const comparable = (name: Buffer): string => {
  const known = comparableForms.get(name);
  if (known !== undefined) return known;
  const form = JSON.stringify(
    DerReader.parse(name, MAX_NAME_BYTES)
      .members(TAG.sequence)
      .map((part) => part.members(TAG.set).map(comparableAttribute).sort()),
  );
  comparableForms.set(name, form);
  return form;
};

const comparableAttribute = (attribute: DerReader): string => {
  const fields = attribute.fields();
  const type = fields.take().oid();
  const value = fields.take();
  fields.end();
  const encoding = TEXTS[value.tag];
  return `${type}=${encoding ? `text:${fold(decode(value.content(), encoding))}` : `der:${value.bytes.toString('hex')}`}`;
};

const decode = (content: Buffer, encoding: 'latin1' | 'utf8' | 'utf16be'): string =>
  encoding === 'utf16be' ? new TextDecoder('utf-16be').decode(content) : content.toString(encoding);

/** RFC 4518 §2, as far as names of certificates need it: compatible characters, case and white space. */
const fold = (text: string): string => text.normalize('NFKC').toLowerCase().normalize('NFKC').trim().replace(/\s+/gu, ' ');
