// By its path: the SDK and pages hold this file as well.
import { DECEPTIVE } from '../../../kernel/browser/src/index.js';

const MAX_CODE_POINTS = 255;
// With lone surrogates (Cs), which have no UTF-8.
const UNREADABLE = new RegExp(String.raw`[${DECEPTIVE}\p{Cs}]`, 'u');
// Empty, the folders of a path, and the container's own entries. A name without a separator cannot lie in META-INF.
const TAKEN = /^(|\.|\.\.|mimetype|meta-inf)$/i;

/**
 * Whether a file of that name can lie in the container's root beside the container's own entries
 * (specification/signing.md#names-of-files, specification/conventions.md#text-that-can-deceive). Attaching keeps an accepted name byte for byte.
 */
export const isSignedDataName = (name: string): boolean =>
  [...name].length <= MAX_CODE_POINTS && !UNREADABLE.test(name) && !/[/\\]/.test(name) && !TAKEN.test(name);

/**
 * The first name that would lie where an earlier one lies once the container is unpacked: the same name but for its case, its Unicode normal
 * form, or dots and blanks at its end, which file systems take for one. Undefined when the names are apart.
 */
export const collidingName = (names: readonly string[]): string | undefined => {
  const seen = new Set<string>();
  return names.find((name) => {
    const folded = fileNameFolded(name);
    return seen.has(folded) || !seen.add(folded);
  });
};

const fileNameFolded = (name: string): string => {
  const folded = name.normalize('NFKC').toUpperCase().toLowerCase().normalize('NFKC');
  return folded.replace(/[. ]+$/, '') || folded;
};
