const MAX_CODE_POINTS = 255;
// Cc, lone surrogates (Cs), and the embeddings, overrides and isolates of UAX #9, so that a name never reads as another one
const DECEPTIVE = /[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069]/u;
// Empty, the folders of a path, and the container's own entries. A name without a separator cannot lie in META-INF.
const TAKEN = /^(|\.|\.\.|mimetype|meta-inf)$/i;

/**
 * Whether a file of that name can lie in the container's root beside the container's own entries
 * (specification/signing.md#names-of-files, specification/conventions.md#text-that-can-deceive). Attaching keeps an accepted name byte for byte.
 */
export const isSignedDataName = (name: string): boolean =>
  [...name].length <= MAX_CODE_POINTS && !DECEPTIVE.test(name) && !/[/\\]/.test(name) && !TAKEN.test(name);

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
