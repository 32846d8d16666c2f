import { ADDED_WORDS, BRANCHES_AND_PLACES } from './added-words.js';
import { skeletonOf } from './skeleton.js';

/** What is left of a name under looser and looser looks. */
export interface NameForm {
  /** Equal for names that nobody tells apart (UTS 39). */
  readonly skeleton: string;
  /** The same without spaces, punctuation and emoji. */
  readonly letters: string;
  /** The same without marks, and with letters that pass for others: `vv` for `w`, figures among letters. */
  readonly plain: string;
  /** The same without the words of {@link ADDED_WORDS}. As `plain` where no other word is there. */
  readonly core: string;
  /** The words of the core. */
  readonly words: readonly string[];
  /** The core without the words of {@link BRANCHES_AND_PLACES}. As `core` where no other word is there. */
  readonly stem: string;
  /** The signs of the name that are neither letters nor emoji, in their order. */
  readonly signs: string;
  readonly emoji: string;
}

/** Letters that pass for others, in a skeleton: pairs first. A skeleton has `l` for `i` and `1`, and `o` for `0`. */
const PASSING: readonly (readonly [string, string])[] = [
  ['vv', 'w'],
  ['cl', 'd'],
  ['ß', 'ss'],
];
/** Figures and signs that stand for letters, where letters stand beside them. */
const STANDING_FOR: Readonly<Record<string, string>> = { '3': 'e', '4': 'a', '5': 's', '7': 't', '8': 'b', '9': 'g', '@': 'a', $: 's', '€': 'e' };
const EMOJI = /\p{Extended_Pictographic}|\p{Regional_Indicator}|\p{Emoji_Modifier}/gu;
const NO_LETTERS = /[^\p{L}\p{M}\p{N}]/gu;
/** Signs that stand for letters belong to words. */
const BETWEEN_WORDS = /[^\p{L}\p{M}\p{N}\p{Default_Ignorable_Code_Point}@$€|]+/u;

export const nameFormOf = (name: string): NameForm => {
  const written = name.normalize('NFKC');
  // Before the skeletons, since some signs have that of a letter.
  const words = written.split(BETWEEN_WORDS).map((word) => skeletonOf(word));
  const plain = words.map(lettersOf).join('');
  const kept = words.map(lettersOf).filter((word) => word !== '' && !isAddedWord(withPassing(word)));
  const core = withPassing(kept.join('') || plain);
  return {
    skeleton: skeletonOf(name),
    letters: words.join('').replace(NO_LETTERS, ''),
    plain: withPassing(plain),
    core,
    words: kept.map(withPassing),
    stem: withPassing(kept.filter((word) => !BRANCHES.has(withPassing(word))).join('')) || core,
    signs: written.replace(EMOJI, '').replaceAll(/[\p{L}\p{M}\p{N}\s\p{Default_Ignorable_Code_Point}]/gu, ''),
    emoji: (written.match(EMOJI) ?? []).join(''),
  };
};

/** The letters of a word without marks, those for which figures and signs stand too. */
const lettersOf = (skeleton: string): string => {
  const word = skeleton.normalize('NFD').replaceAll(/\p{M}/gu, '');
  const isOfLetters = /\p{L}/u.test(word);
  return (isOfLetters ? word.replaceAll(/[3-57-9@$€]/g, (sign) => STANDING_FOR[sign] ?? sign) : word).replace(NO_LETTERS, '');
};

const withPassing = (letters: string): string => PASSING.reduce((text, [passing, letter]) => text.replaceAll(passing, letter), letters);

/** Also as a name begins, and as it stands in capitals: some capitals look like another letter than their small ones. */
const spellingsOf = (word: string): readonly string[] => [word, word.slice(0, 1).toUpperCase() + word.slice(1), word.toUpperCase()];

const plainOf = (words: readonly string[]): ReadonlySet<string> =>
  new Set(words.flatMap(spellingsOf).map((word) => withPassing(lettersOf(skeletonOf(word)))));

const ADDED = plainOf(ADDED_WORDS);
const BRANCHES = plainOf(BRANCHES_AND_PLACES);

/** Whether the text, in the look of {@link NameForm.plain}, is one of {@link ADDED_WORDS}. */
export const isAddedWord = (plain: string): boolean => ADDED.has(plain);

/** Whether it is one of them, or of {@link BRANCHES_AND_PLACES}. */
export const isUsualWord = (plain: string): boolean => ADDED.has(plain) || BRANCHES.has(plain);
