import MiniSearch from 'minisearch';

import { type FoundSection, type IndexedSection, SEARCH_OPTIONS } from './search-options.js';

export interface SiteSearch {
  /** The sections that have all the words, the best first. */
  find(words: string, most: number): readonly FoundSection[];
}

/** Fetches the index of the site. It and the library are fetched when the search is first opened. */
export const openSiteSearch = async (site: string): Promise<SiteSearch> => {
  const answer = await fetch(`${site}search.json`);
  if (!answer.ok) throw new Error(`search.json: ${answer.status}`);
  const index = MiniSearch.loadJSON<IndexedSection>(await answer.text(), SEARCH_OPTIONS);
  return { find: (words, most) => index.search(words).slice(0, most) as unknown as readonly FoundSection[] };
};
