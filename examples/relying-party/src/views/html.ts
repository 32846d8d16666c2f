/** Escaped markup. Only {@link html} makes it. */
export class Markup {
  constructor(readonly text: string) {}
}

type Value = Markup | string | number | false | undefined | readonly Value[];

/** Markup with everything in its slots escaped, for element content and for quoted attributes. False and undefined become nothing. */
export const html = (parts: TemplateStringsArray, ...values: readonly Value[]): Markup =>
  new Markup(parts.map((part, index) => (index === 0 ? part : markupOf(values[index - 1]) + part)).join(''));

const markupOf = (value: Value): string => {
  if (value === undefined || value === false) return '';
  if (value instanceof Markup) return value.text;
  if (typeof value === 'object') return value.map(markupOf).join('');
  return String(value).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
};
