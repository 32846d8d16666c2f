const MAX_CODE_POINTS = 255;
// Cc, lone surrogates (Cs), and characters that change the direction of text (Unicode Bidi_Control), so that a name never reads as another one
const DECEPTIVE = /[\p{Cc}\p{Cs}\p{Bidi_Control}]/u;

/**
 * Whether a file of that name can lie in the container's root beside the container's own entries
 * (specification/signing.md#names-of-files, specification/conventions.md#text-that-can-deceive). Attaching keeps an accepted name byte for byte.
 */
export const isSignedDataName = (name: string): boolean =>
  name.length > 0 &&
  [...name].length <= MAX_CODE_POINTS &&
  !DECEPTIVE.test(name) &&
  !/[/\\]/.test(name) &&
  !name.includes('..') &&
  name !== '.' &&
  !/^(mimetype$|meta-inf|[a-z]:)/i.test(name);
