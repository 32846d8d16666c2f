/** Parses the text of an environment variable. Answers undefined when the text does not have the format. */
export interface Format {
  readonly parse: (text: string) => unknown;
  /** The form that the text must have, for the message and the documentation. */
  readonly expected: string;
}

export const text: Format = { parse: (value) => value, expected: 'text' };

export const integer: Format = {
  parse: (value) => (/^-?\d{1,15}$/.test(value) ? Number(value) : undefined),
  expected: 'a whole number',
};

/** A part of a whole, from 0 (none) to 1 (all). */
export const share: Format = {
  parse: (value) => (/^(0(\.\d{1,9})?|1(\.0{1,9})?)$/.test(value) ? Number(value) : undefined),
  expected: 'a number from 0 to 1',
};

export const flag: Format = {
  parse: (value) => ({ true: true, false: false })[value],
  expected: 'true or false',
};

/** An address to which paths are appended, hence without a slash at its end. */
export const httpUrl: Format = {
  parse: (value) => {
    const url = URL.parse(value);
    if (!url || !['http:', 'https:'].includes(url.protocol)) return undefined;
    if (url.username || url.password || url.search || url.hash) return undefined;
    return url.href.replace(/\/+$/, '');
  },
  expected: 'an http or https address without user, query and fragment',
};

export const list: Format = {
  parse: (value) =>
    value
      .split(',')
      .map((item) => item.trim())
      .filter((item) => item !== ''),
  expected: 'a list, separated by commas',
};
