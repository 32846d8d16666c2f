/** Arabic letters that join only the letter before them: Joining_Type R of Unicode 16 (ArabicShaping.txt). */
const JOIN_ONLY_BEFORE = [
  ...['\u0622-\u0625', '\u0627', '\u0629', '\u062f-\u0632', '\u0648', '\u0671-\u0673', '\u0675-\u0677', '\u0688-\u0699', '\u06c0', '\u06c3-\u06cb'],
  ...['\u06cd', '\u06cf', '\u06d2', '\u06d3', '\u06d5', '\u06ee', '\u06ef', '\u0759-\u075b', '\u076b', '\u076c', '\u0771', '\u0773', '\u0774'],
  ...['\u0778', '\u0779', '\u0870-\u0882', '\u088e', '\u08aa-\u08ac', '\u08ae', '\u08b1', '\u08b2', '\u08b9'],
].join('');
/** Arabic letters that join none: Joining_Type U, and the few that are rare or new. The last range holds presentation forms. */
const JOIN_NONE = ['\u0621', '\u0674', '\u06e5', '\u06e6', '\u0883-\u0885', '\u0887', '\u088f', '\u08ad', '\u08c9', '\ufb50-\ufeff'].join('');
/** Signs that end a syllable without a vowel, of scripts in general use: Canonical_Combining_Class 9. */
const VIRAMAS = '\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d3b\u0d3c\u0d4d\u0dca\u0e3a\u0eba\u0f84\u1039\u103a\u17d2';

const behindAVirama = `(?<=\\p{L}\\p{M}*[${VIRAMAS}])`;
const SPELLED = new RegExp(
  [
    `(?<=(?![${JOIN_ONLY_BEFORE}${JOIN_NONE}])(?=\\p{L})\\p{Script=Arabic}\\p{M}*)\\u200c(?=\\p{M}*(?![${JOIN_NONE}])(?=\\p{L})\\p{Script=Arabic})`,
    // Where the word ends there, nothing of it shows.
    `${behindAVirama}\\u200c(?=\\p{M}*\\p{L})`,
    `${behindAVirama}\\u200d`,
  ].join('|'),
  'gu',
);

/**
 * The name without the joiners that its spelling needs: the zero-width non-joiner between Arabic letters that would join, as in Persian, and both joiners behind a virama,
 * as in Sinhala (RFC 5892 appendices A.1 and A.2, UAX 31 section 2.3). The others, which nothing shows, stay.
 */
export const withoutSpelledJoiners = (name: string): string => name.replaceAll(SPELLED, '');
