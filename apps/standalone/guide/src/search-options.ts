import type { Options } from 'minisearch';

/** A section of a page, as the search finds it. */
export interface FoundSection {
  readonly id: number;
  /** The address below that of the site, with the anchor. */
  readonly address: string;
  readonly page: string;
  readonly title: string;
  /** The beginning of its text. */
  readonly excerpt: string;
}

/** A section with the words that the index is made of. They are not kept in it. */
export interface IndexedSection extends FoundSection {
  readonly text: string;
  /** How far ahead of others it comes; 1 is usual. */
  readonly weight: number;
}

/** The build makes the index by these options, and the page reads it by the same. */
export const SEARCH_OPTIONS: Options<IndexedSection> = {
  fields: ['title', 'page', 'text'],
  storeFields: ['address', 'page', 'title', 'excerpt', 'weight'],
  // Names such as `redirect_uri` and `invalid_grant` are one word, and their parts are words too.
  tokenize: (text) =>
    text
      .split(/[^\p{L}\p{N}_]+/u)
      .flatMap((word) => (word.includes('_') ? [word, ...word.split('_')] : [word]))
      .filter((word) => word.length > 1),
  searchOptions: {
    boost: { title: 4, page: 2 },
    prefix: true,
    fuzzy: (term) => (term.length > 4 ? 0.2 : false),
    combineWith: 'AND',
    boostDocument: (_id, _term, stored) => Number(stored?.['weight'] ?? 1),
  },
};
