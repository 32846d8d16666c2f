/** RFC 4518 §2.2: characters that count for nothing, such as soft hyphens, joiners and the marks of direction. */
const IGNORED = /[\p{Default_Ignorable_Code_Point}\u0080-\u0084\u0086-\u009f\0-\x08\x0e-\x1f\x7f]/gu;
/** The one letter whose capital is that of another letter. */
const DOTLESS_I = /[^\u0131]+/gu;

/**
 * The text as names are compared (RFC 5280 §7.1, RFC 4518 §2): compatible characters, upper and lower case, and the amount of white space do not count.
 * Uses nothing of Node.
 */
export const foldText = (text: string): string =>
  text
    .replaceAll(IGNORED, '')
    .normalize('NFKC')
    // through the capitals, so that ß is ss and ς is σ
    .replaceAll(DOTLESS_I, (letters) => letters.toUpperCase())
    .toLowerCase()
    .normalize('NFKC')
    .trim()
    .replaceAll(/\s+/gu, ' ');
