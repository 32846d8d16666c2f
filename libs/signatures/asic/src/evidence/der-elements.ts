// DER (X.690) as far as reading a signature needs it, without Node: libs/signatures/pki reads and checks the same in Node.

/** One element: its tag and its content. */
export interface DerElement {
  readonly tag: number;
  readonly content: Uint8Array;
}

/** The bytes are no DER, or not the structure that was expected. */
export class UnreadableDer extends Error {
  override readonly name = 'UnreadableDer';
}

const UTC_TIME = 0x17;
const GENERALIZED_TIME = 0x18;

/** The elements that follow each other in these bytes. Throws {@link UnreadableDer}. */
export const readElements = (bytes: Uint8Array): readonly DerElement[] => {
  const elements: DerElement[] = [];
  for (let at = 0; at < bytes.length;) {
    const tag = byteAt(bytes, at);
    const { length, start } = readLength(bytes, at + 1);
    const end = start + length;
    if ((tag & 0x1f) === 0x1f || end > bytes.length) throw new UnreadableDer('an element is longer than its place');
    elements.push({ tag, content: bytes.subarray(start, end) });
    at = end;
  }
  return elements;
};

/** The element at the end of a path of positions, from 0. Throws {@link UnreadableDer}. */
export const inside = (element: DerElement | undefined, ...path: readonly number[]): DerElement => {
  let found = element;
  for (const position of path) found = found && readElements(found.content)[position];
  if (!found) throw new UnreadableDer('an element is missing');
  return found;
};

/** An OBJECT IDENTIFIER in its usual form, such as `2.5.4.3`. */
export const identifierOf = ({ content }: DerElement): string => {
  const arcs: number[] = [];
  let arc = 0;
  for (const byte of content) {
    arc = arc * 128 + (byte & 0x7f);
    if (byte >= 0x80) continue;
    arcs.push(arc);
    arc = 0;
  }
  const [first = 0, ...rest] = arcs;
  const root = Math.min(2, Math.floor(first / 40));
  return [root, first - root * 40, ...rest].join('.');
};

/** UTCTime or GeneralizedTime in epoch milliseconds. Throws {@link UnreadableDer} for another element. */
export const timeOf = ({ tag, content }: DerElement): number => {
  if (tag !== UTC_TIME && tag !== GENERALIZED_TIME) throw new UnreadableDer('this is no time');
  const digits = new TextDecoder().decode(content);
  // RFC 5280 §4.1.2.5.1: two digits from 50 on mean the twentieth century.
  const century = Number(digits.slice(0, 2)) >= 50 ? '19' : '20';
  const [, year, month, day, hour, minute, second, fraction = ''] =
    /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\.\d+)?Z$/.exec(tag === UTC_TIME ? century + digits : digits) ?? [];
  const at = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}${fraction}Z`);
  if (Number.isNaN(at)) throw new UnreadableDer('this is no time');
  return at;
};

const readLength = (bytes: Uint8Array, at: number): { readonly length: number; readonly start: number } => {
  const first = byteAt(bytes, at);
  if (first < 0x80) return { length: first, start: at + 1 };
  const count = first & 0x7f;
  if (count === 0 || count > 3) throw new UnreadableDer('an element has no length, or too large a one');
  let length = 0;
  for (let next = at + 1; next <= at + count; next += 1) length = length * 256 + byteAt(bytes, next);
  return { length, start: at + 1 + count };
};

const byteAt = (bytes: Uint8Array, at: number): number => {
  const byte = bytes[at];
  if (byte === undefined) throw new UnreadableDer('the bytes end too early');
  return byte;
};
