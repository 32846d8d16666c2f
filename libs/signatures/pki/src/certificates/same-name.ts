import { TAG } from '../der/der.js';
import { DerReader } from '../der/der-reader.js';
import { MalformedDer } from '../der/malformed-der.js';
import { foldText } from './fold-text.js';
import { textOf } from './name-text.js';

const MAX_NAME_BYTES = 80 * 1024;

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

/** Whether the parts of a DER Name begin with those of another one, compared like {@link sameName}: it lies below it (RFC 5280 §7.1). Throws {@link MalformedDer}. */
export const beginsWithName = (name: Buffer, beginning: Buffer): boolean => {
  const [parts, first] = [comparableParts(name), comparableParts(beginning)];
  return first.every((part, at) => part === parts[at]);
};

/** By the buffer itself: a certificate keeps those of its names, and a search for an issuer compares each of them many times. */
const comparableForms = new WeakMap<Buffer, readonly string[]>();

const comparable = (name: Buffer): string => JSON.stringify(comparableParts(name));

const comparableParts = (name: Buffer): readonly string[] => {
  const known = comparableForms.get(name);
  if (known !== undefined) return known;
  const parts = DerReader.parse(name, MAX_NAME_BYTES)
    .members(TAG.sequence)
    .map((part) => JSON.stringify(part.members(TAG.set).map(comparableAttribute).sort()));
  comparableForms.set(name, parts);
  return parts;
};

const comparableAttribute = (attribute: DerReader): string => {
  const fields = attribute.fields();
  const type = fields.take().oid();
  const value = fields.take();
  fields.end();
  const text = textOf(value);
  return `${type}=${text === undefined ? `der:${value.bytes.toString('hex')}` : `text:${foldText(text)}`}`;
};
