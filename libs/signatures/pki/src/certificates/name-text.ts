import { TAG } from '../der/der.js';
import { DerReader } from '../der/der-reader.js';

const TELETEX_STRING = 0x14;
const UNIVERSAL_STRING = 0x1c;
const BMP_STRING = 0x1e;

const latin1 = (content: Buffer): string => content.toString('latin1');
/** Four bytes a character; what is no character becomes U+FFFD. */
const utf32be = (content: Buffer): string =>
  Array.from({ length: Math.ceil(content.length / 4) }, (_, at) => {
    const character = at * 4 + 4 <= content.length ? content.readUInt32BE(at * 4) : Infinity;
    return character > 0x10ffff || (character >= 0xd800 && character <= 0xdfff) ? '\uFFFD' : String.fromCodePoint(character);
  }).join('');

/** The string types of a name (RFC 5280 §4.1.2.4, DirectoryString and IA5String). Authorities that write TeletexString mean Latin-1 by it. */
const DECODERS: Readonly<Record<number, (content: Buffer) => string>> = {
  [TAG.printableString]: latin1,
  [TAG.utf8String]: (content) => content.toString('utf8'),
  [TAG.ia5String]: latin1,
  [TELETEX_STRING]: latin1,
  [UNIVERSAL_STRING]: utf32be,
  [BMP_STRING]: (content) => new TextDecoder('utf-16be', { ignoreBOM: true }).decode(content),
};

/** The text of a string in a name; undefined for a value of another type. */
export const textOf = (value: DerReader): string | undefined => DECODERS[value.tag]?.(value.content());

const MAX_NAME_BYTES = 80 * 1024;

/** The last text of an attribute in a Name (DER), by its object identifier. Throws MalformedDer. */
export const attributeIn = (name: Buffer, type: string): string | undefined => attributesIn(name, type).at(-1);

/** All texts of an attribute in a Name (DER), by its object identifier. Throws MalformedDer. */
export const attributesIn = (name: Buffer, type: string): readonly string[] => {
  const found: string[] = [];
  for (const set of DerReader.parse(name, MAX_NAME_BYTES).members(TAG.sequence)) {
    for (const attribute of set.members(TAG.set)) {
      const fields = attribute.fields();
      if (fields.take().oid() !== type) continue;
      const text = textOf(fields.take());
      if (text !== undefined) found.push(text);
    }
  }
  return found;
};
