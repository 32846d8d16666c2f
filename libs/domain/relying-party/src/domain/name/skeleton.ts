import { CONFUSABLES } from './confusables.js';

/** The number of the rules below and of their table. A reservation is found only under the rules that made it, so a release with other rules has to reserve the skeletons of all names first. */
export const RULES = 1;

/**
 * The skeleton of a name. Two names with equal skeletons look alike. The result serves comparisons alone (UTS 39 section 4).
 *
 * The case of a name does not count, so the skeleton is taken twice: of the name as it is written, where a capital `I` looks like `l`, and of that in
 * small letters. An `i` then counts as an `l`, since its capital looks like one.
 */
export const skeletonOf = (name: string): string => uts39Skeleton(uts39Skeleton(name).toLowerCase()).toLowerCase().replaceAll('i', 'l');

/** One application of UTS 39: `skeleton(X)`, over compatibility forms, since width and font do not tell names apart. */
const uts39Skeleton = (text: string): string =>
  Array.from(visible(text).normalize('NFD'), (character) => PROTOTYPES.get(character) ?? character)
    .join('')
    .normalize('NFD');

/** Removes characters that no font shows. U+2800, the empty Braille pattern, looks like a space. */
const visible = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .replace(/[\s\u2800]+/gu, ' ')
    .trim();

const characters = (codePoints: string): readonly string[] => codePoints.split(' ').map((point) => String.fromCodePoint(parseInt(point, 16)));

const PROTOTYPES: ReadonlyMap<string, string> = new Map(
  CONFUSABLES.split(';').flatMap((group) => {
    const [sources = '', prototype = ''] = group.split('=');
    return characters(sources).map((source) => [source, characters(prototype).join('')] as const);
  }),
);
