/** One piece of a sentence: its own words, or the name of a value that goes there. */
export type SentencePart = { readonly text: string } | { readonly slot: string };

/**
 * Takes `"Confirm for {name}"` apart, so that a value is put in as a text node of its own: a name may hold anything,
 * braces and markup included, and stays a name.
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
