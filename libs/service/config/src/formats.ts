/** Parses the text of an environment variable. Answers undefined when the text does not have the format. */
export interface Format {
  readonly parse: (text: string) => unknown;
  /** The form that the text must have, for the message and the documentation. */
  readonly expected: string;
  /** A fault that has a remedy of its own, as the end of a sentence that begins with the name of the setting. */
  readonly faultOf?: (text: string) => string | undefined;
}

/** An address is percent-encoded UTF-8 (RFC 3986 §2.4). What uses it would fail to decode anything else, with the address in its message. */
const strayPercent = (value: string): string | undefined => {
  try {
    decodeURIComponent(value);
    return undefined;
  } catch {
    return 'holds a % that begins no percent-encoding: encode % as %25';
  }
};

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

/** The address of an engine, or another one that the rules of its setting check. */
export const address: Format = { ...text, faultOf: strayPercent };

/** The same with a password, which may also lie in the file of this setting. */
export const addressOrFile = (passwordFile: string): Format => ({
  ...text,
  faultOf: (value) => {
    const fault = strayPercent(value);
    return fault && `${fault}, or use ${passwordFile}`;
  },
});

/** An address to which paths are appended, hence without a slash at its end. */
export const httpUrl: Format = {
  parse: (value) => {
    const url = URL.parse(value);
    if (!url || !['http:', 'https:'].includes(url.protocol)) return undefined;
    if (url.username || url.password || url.search || url.hash) return undefined;
    return url.href.replace(/\/+$/, '');
  },
  expected: 'an http or https address without user, query and fragment',
  faultOf: strayPercent,
};

export const list: Format = {
  parse: (value) =>
    value
      .split(',')
      .map((item) => item.trim())
      .filter((item) => item !== ''),
  expected: 'a list, separated by commas',
};

export const addresses: Format = { ...list, faultOf: strayPercent };
