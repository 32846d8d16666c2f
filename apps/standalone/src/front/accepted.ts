interface Range {
  readonly value: string;
  readonly quality: number;
}

/** The values of an `Accept` or `Accept-Language` header, the preferred one first (RFC 9110 §12.4.2). */
export const accepted = (header: string | undefined): readonly string[] =>
  (header ?? '')
    .split(',')
    .map(rangeOf)
    .filter(({ value, quality }) => value !== '' && quality > 0)
    .toSorted((a, b) => b.quality - a.quality)
    .map(({ value }) => value);

const rangeOf = (text: string): Range => {
  const [value = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase());
  const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
  const quality = weight === undefined ? 1 : Number(weight);
  return { value, quality: Number.isFinite(quality) ? quality : 0 };
};

/** Whether the caller is a person's browser: it prefers HTML to JSON. A program that accepts anything gets JSON. */
export const prefersHtml = (header: string | undefined): boolean => {
  const types = accepted(header);
  const html = types.findIndex((type) => type === 'text/html' || type === 'application/xhtml+xml');
  const json = types.findIndex((type) => type === 'application/json');
  return html >= 0 && (json < 0 || html < json);
};
