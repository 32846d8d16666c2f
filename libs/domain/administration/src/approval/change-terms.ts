import { sha256Base64url } from '#kernel';

/** A request that changes something, as it was sent. */
export type SentChange = {
  readonly method: string;
  /** With the ids, and the query. */
  readonly path: string;
  /** Empty where the request has none. */
  readonly body: string;
};

/** What the change touches, each with its revision or with what stands for it. A change that meets others is another change. */
export type TouchedVersions = Readonly<Record<string, string>>;

/** base64url of the SHA-256 over the change and the revisions of what it touches: what the phone signs. */
export const changeDigest = ({ method, path, body }: SentChange, versions: TouchedVersions): string =>
  sha256Base64url(JSON.stringify([method, path.toLowerCase(), body, Object.entries(versions).toSorted(([a], [b]) => (a < b ? -1 : 1))]));

/** Object and change in words. */
export interface ChangeWords {
  /** Shown large on the phone. */
  readonly title: string;
  /** What the title cannot hold, a line each. */
  readonly lines: readonly string[];
}

const LONGEST_TITLE = 100;

export const titleOf = ({ title }: ChangeWords): string => {
  const letters = [...title];
  return letters.length <= LONGEST_TITLE ? title : `${letters.slice(0, LONGEST_TITLE - 1).join('')}…`;
};

/** The change in full: the words, then the request itself. */
export const detailsOf = ({ title, lines }: ChangeWords, { method, path, body }: SentChange): string =>
  [title, ...lines, `Request: ${method} ${path}`, ...(body === '' ? [] : [`Body: ${body}`])].join('\n');
