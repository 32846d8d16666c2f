/** The kind of a browser and of its system, in the words that people know. Absent where the header tells nothing known. */
export interface BrowserKind {
  readonly browser?: string;
  readonly system?: string;
}

/** The header of a browser may also name browsers further down this list, so the first match counts. */
const BROWSERS = [
  ['Edg', 'Edge'],
  ['OPR/', 'Opera'],
  ['SamsungBrowser/', 'Samsung Internet'],
  ['Firefox/', 'Firefox'],
  ['FxiOS/', 'Firefox'],
  ['Chrome/', 'Chrome'],
  ['CriOS/', 'Chrome'],
  ['Safari/', 'Safari'],
] as const;

const SYSTEMS = [
  ['Android', 'Android'],
  ['iPhone', 'iOS'],
  ['iPad', 'iOS'],
  ['Windows', 'Windows'],
  ['CrOS', 'ChromeOS'],
  ['Macintosh', 'macOS'],
  ['Linux', 'Linux'],
] as const;

/**
 * The kind of the browser that sends this `User-Agent` (RFC 9110 §10.1.5). Browser and system are each one of a few fixed words, without a version and without
 * text of the header. The header is only a claim: a browser may send any value.
 */
export const browserOf = (userAgent: string | undefined): BrowserKind => {
  const named = (kinds: readonly (readonly [string, string])[]): string | undefined => kinds.find(([part]) => userAgent?.includes(part))?.[1];
  const [browser, system] = [named(BROWSERS), named(SYSTEMS)];
  return { ...(browser !== undefined && { browser }), ...(system !== undefined && { system }) };
};
