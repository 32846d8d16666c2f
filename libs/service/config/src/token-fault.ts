import { SHOWN_TOKENS } from './shown-tokens.js';
import { shownTokenDigest } from './shown-token-digest.js';

/** Characters: 128 bits in hexadecimal. */
const LEAST = 32;
/** Characters that are not told by the ones before them. Random ones of that length have more. */
const LEAST_NEW = 24;
const LEAST_DIFFERENT = 8;
/** A repetition that is shorter also occurs in random texts. */
const REPETITION = 3;
/** Characters that are looked at. */
const MOST = 512;

/** Why a token is too easily guessed to open the admin API of a guarded environment, as the end of a sentence; undefined if it is not. */
export const tokenFault = (token: string): string | undefined => {
  if (token.length < LEAST) return `must be at least ${LEAST} random characters`;
  if (repeatsPattern(token)) return 'must be random characters and repeat no pattern';
  return SHOWN_TOKENS.has(shownTokenDigest(token)) ? 'must be of your own making: a document of this project shows that text' : undefined;
};

/** Whether its letters repeat a pattern, whatever their case, or go on in one, as `abcdefgh` or `13579` do. */
const repeatsPattern = (token: string): boolean => {
  const letters = Array.from(token.slice(0, MOST).toLowerCase(), (letter) => letter.charCodeAt(0));
  const steps = letters.slice(1).map((letter, at) => letter - (letters[at] ?? 0));
  return new Set(letters).size < LEAST_DIFFERENT || newIn(letters) < LEAST_NEW || newIn(steps) < LEAST_NEW || hasPeriod(letters);
};

/** How many of the values are new: a run that occurred before counts as one. */
const newIn = (values: readonly number[]): number => {
  let count = 0;
  for (let at = 0; at < values.length; count++) {
    const run = Math.max(...Array.from({ length: at }, (_, from) => runLength(values, from, at)), 0);
    at += run >= REPETITION ? run : 1;
  }
  return count;
};

/** How many values from `at` on are the same as those from `from` on. The two may overlap. */
const runLength = (values: readonly number[], from: number, at: number): number => {
  let length = 0;
  while (at + length < values.length && values[from + length] === values[at + length]) length++;
  return length;
};

/** Whether the whole is one part again and again; the last time it may be cut. */
const hasPeriod = (values: readonly number[]): boolean =>
  Array.from({ length: Math.floor(values.length / 2) }, (_, before) => before + 1).some(
    (period) => runLength(values, 0, period) === values.length - period,
  );
