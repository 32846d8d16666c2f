/** One part of a sentence: a text, or the name of the value that goes there. */
export type SentencePart = { readonly text: string } | { readonly slot: string };

/**
 * Splits `"Confirm for {name}"`, so that a value becomes a text node of its own. A name that contains braces or markup stays
 * text.
 */
export const sentenceParts = (template: string): readonly SentencePart[] =>
  template
    .split(/(\{[a-zA-Z]+\})/)
    .filter((piece) => piece !== '')
    .map((piece) => (/^\{[a-zA-Z]+\}$/.test(piece) ? { slot: piece.slice(1, -1) } : { text: piece }));

/** The sentence as one string, for places that hold text only. */
export const sentence = (template: string, values: Readonly<Record<string, string | number>> = {}): string =>
  sentenceParts(template)
    .map((part) => ('text' in part ? part.text : String(values[part.slot] ?? '')))
    .join('');
