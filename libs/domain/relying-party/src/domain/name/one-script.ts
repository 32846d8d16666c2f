/** The scripts in general use (UAX 31 table 5). */
const SCRIPTS = [
  ...['Arabic', 'Armenian', 'Bengali', 'Bopomofo', 'Cyrillic', 'Devanagari', 'Ethiopic', 'Georgian', 'Greek', 'Gujarati', 'Gurmukhi', 'Han'],
  ...['Hangul', 'Hebrew', 'Hiragana', 'Kannada', 'Katakana', 'Khmer', 'Lao', 'Latin', 'Malayalam', 'Myanmar', 'Oriya', 'Sinhala', 'Tamil'],
  ...['Telugu', 'Thaana', 'Thai', 'Tibetan'],
] as const;

/** Scripts that people mix within a word (UTS 39 section 5.2, "highly restrictive"). */
const MIXED = [
  ['Latin', 'Han', 'Hiragana', 'Katakana'],
  ['Latin', 'Han', 'Bopomofo'],
  ['Latin', 'Han', 'Hangul'],
] as const;

const classOf = (scripts: readonly string[]): string => scripts.map((script) => `\\p{Script_Extensions=${script}}`).join('');

const SHARED = classOf(['Common', 'Inherited']);
const ALLOWED = [...SCRIPTS.map((script) => [script]), ...MIXED].map((scripts) => new RegExp(`^[${classOf(scripts)}${SHARED}]*$`, 'u'));
/** A word in scripts that are not in general use. */
const OTHER = new RegExp(`^[^${classOf(SCRIPTS)}]*$`, 'u');

/** Whether the letters of each word are of one script, or of scripts that are written together (specification/admin.md#names-of-clients). */
export const hasOneScriptPerWord = (name: string): boolean =>
  (
    name
      .replaceAll(/\p{Join_Control}/gu, '')
      .normalize('NFKC')
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  )
    .map((word) => word.replace(/[^\p{L}]/gu, ''))
    .every((letters) => OTHER.test(letters) || ALLOWED.some((allowed) => allowed.test(letters)));
