import { JOIN_BEFORE, JOIN_NEXT, VIRAMAS } from './joining-types.js';

/** The class of a regular expression for ranges of code points in hex. */
const classOf = (ranges: string): string => `[${ranges.replaceAll(/[\da-f]+/g, (point) => `\\u{${point}}`).replaceAll(' ', '')}]`;

/** Marks that join nothing, and hide from no letter that they stand between: Joining_Type T. */
const TRANSPARENT = '[\\p{Mn}\\p{Me}]*';

const behindAVirama = `(?<=\\p{L}\\p{M}*${classOf(VIRAMAS)})`;
const SPELLED = new RegExp(
  [
    `(?<=${classOf(JOIN_NEXT)}${TRANSPARENT})\\u200c(?=${TRANSPARENT}${classOf(JOIN_BEFORE)})`,
    // Where the word ends there, nothing of it shows.
    `${behindAVirama}\\u200c(?=\\p{M}*\\p{L})`,
    `${behindAVirama}\\u200d`,
  ].join('|'),
  'gu',
);

/**
 * The name without the joiners that its spelling needs: the zero-width non-joiner between letters that would join, as in Persian, of every script whose letters join, and both joiners behind a
 * virama, as in Sinhala (RFC 5892 appendices A.1 and A.2, UAX 31 section 2.3). The others, which nothing shows, stay.
 */
export const withoutSpelledJoiners = (name: string): string => name.replaceAll(SPELLED, '');
