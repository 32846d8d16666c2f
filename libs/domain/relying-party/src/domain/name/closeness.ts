import { isAddedWord, isUsualWord, type NameForm } from './name-form.js';

/** What the difference of two names consists of. */
export type NameDifference = 'NOTHING_THAT_SHOWS' | 'SPACES' | 'PUNCTUATION' | 'EMOJI' | 'LETTERS_THAT_LOOK_ALIKE' | 'ADDED_WORDS' | 'SPELLING';

export interface Closeness {
  /** From 1 to 100: how easily one name passes for the other. 100: nothing that shows tells them apart. */
  readonly closeness: number;
  readonly differences: readonly NameDifference[];
}

const SAME = 100;
const SIGNS_APART = 97;
const LETTERS_APART = 93;
const WORDS_APART = 88;
/** Of a name that holds the other among further letters: the most, times the share of what it holds. */
const HELD = 85;
/** Letters of the shortest name that is looked for anywhere within another one, and of the shortest that is compared letter by letter. */
const SHORTEST = 4;
/** Letters of the shortest name that is looked for among the words of another one. */
const SHORTEST_WORD = 2;
/** Letters for each one that may differ. */
const LETTERS_FOR_ONE = 5;
const MOST_APART = 3;

/** How close two names are, or undefined if they are not. */
export const closenessOf = (one: NameForm, other: NameForm): Closeness | undefined => {
  if (one.skeleton === other.skeleton) return { closeness: SAME, differences: ['NOTHING_THAT_SHOWS'] };
  if (one.plain === '' || other.plain === '') return undefined;
  const around = differencesAround(one, other);
  if (one.letters === other.letters) return { closeness: SIGNS_APART, differences: around };
  if (one.plain === other.plain) return { closeness: LETTERS_APART, differences: ['LETTERS_THAT_LOOK_ALIKE', ...around] };
  if (one.core === other.core) return { closeness: WORDS_APART, differences: ['ADDED_WORDS', ...around] };
  return heldIn(one, other) ?? heldAsWord(one, other) ?? withOtherPlaces(one, other) ?? spelledLike(one, other);
};

/** Spaces, punctuation and emoji: what stands around the letters. */
const differencesAround = (one: NameForm, other: NameForm): readonly NameDifference[] => [
  ...(one.emoji === other.emoji ? [] : (['EMOJI'] as const)),
  ...(one.signs === other.signs ? [] : (['PUNCTUATION'] as const)),
  ...(one.letters === other.letters && one.emoji === other.emoji && one.signs === other.signs ? (['SPACES'] as const) : []),
];

const heldIn = (one: NameForm, other: NameForm): Closeness | undefined => {
  const [short, long] = one.core.length <= other.core.length ? [one, other] : [other, one];
  if (short.core.length < SHORTEST || !long.plain.includes(short.core)) return undefined;
  const isWordAdded = isAddedWord(long.plain.replace(short.core, ''));
  const closeness = isWordAdded ? WORDS_APART : Math.round((HELD * (1 + short.core.length / long.plain.length)) / 2);
  return { closeness, differences: ['ADDED_WORDS', ...differencesAround(one, other)] };
};

/** A short name among the words of the other, or as one word with a usual one: `SEB` in `SEB Bank`, `SEBpank` and `SEB Kindlustus`. */
const heldAsWord = (one: NameForm, other: NameForm): Closeness | undefined => {
  const [short, long] = one.core.length <= other.core.length ? [one, other] : [other, one];
  if (short.core.length < SHORTEST_WORD || short.core.length >= SHORTEST || isUsualWord(short.core)) return undefined;
  const isUsual = short.core === long.stem || long.words.some((word) => isLengthened(word, short.core));
  if (!isUsual && !long.words.includes(short.core)) return undefined;
  const closeness = isUsual ? WORDS_APART : Math.round((HELD * (1 + short.core.length / long.plain.length)) / 2);
  return { closeness, differences: ['ADDED_WORDS', ...differencesAround(one, other)] };
};

const isLengthened = (word: string, by: string): boolean =>
  (word.startsWith(by) && isUsualWord(word.slice(by.length))) || (word.endsWith(by) && isUsualWord(word.slice(0, -by.length)));

/** `SEB Bank` and `SEB Pank`, `Swedbank Latvija` and `Swedbank Eesti`. */
const withOtherPlaces = (one: NameForm, other: NameForm): Closeness | undefined =>
  one.stem === other.stem && one.stem.length >= SHORTEST_WORD && !isUsualWord(one.stem)
    ? { closeness: WORDS_APART, differences: ['ADDED_WORDS', ...differencesAround(one, other)] }
    : undefined;

const spelledLike = (one: NameForm, other: NameForm): Closeness | undefined => {
  const [a, b] = [Array.from(one.core), Array.from(other.core)];
  const length = Math.max(a.length, b.length);
  const allowed = Math.min(MOST_APART, Math.floor(length / LETTERS_FOR_ONE) + 1);
  if (Math.min(a.length, b.length) < SHORTEST || Math.abs(a.length - b.length) > allowed) return undefined;
  const apart = distance(a, b);
  return apart > allowed
    ? undefined
    : { closeness: Math.round(WORDS_APART * (1 - apart / length)), differences: ['SPELLING', ...differencesAround(one, other)] };
};

/** Letters that are added, left out, replaced, or exchanged with their neighbour, to make one text of the other (optimal string alignment). */
const distance = (a: readonly string[], b: readonly string[]): number => {
  let before: readonly number[] = [];
  let above: readonly number[] = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (const [row, letter] of a.entries()) {
    const line = [row + 1];
    for (const [at, opposite] of b.entries()) {
      const replaced = (above[at] ?? 0) + (letter === opposite ? 0 : 1);
      const exchanged = letter === b[at - 1] && a[row - 1] === opposite ? (before[at - 1] ?? Infinity) + 1 : Infinity;
      line.push(Math.min(replaced, (above[at + 1] ?? 0) + 1, (line[at] ?? 0) + 1, exchanged));
    }
    [before, above] = [above, line];
  }
  return above[b.length] ?? 0;
};
