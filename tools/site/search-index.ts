import MiniSearch from 'minisearch';

import { type IndexedSection, SEARCH_OPTIONS } from '../../apps/standalone/guide/src/search-options.ts';
import { addressOf } from './addresses.ts';
import type { Chapter } from './chapters.ts';
import type { RenderedPage } from './render-page.ts';

/** Characters of the text that a result shows. */
const EXCERPT = 110;

/** What a relying party looks for comes before the chapters of those who run or change the service. */
const WEIGHTS: Readonly<Record<string, number>> = { 'Relying parties': 2, Reference: 1.5, Runbooks: 0.6, Security: 0.6, Decisions: 0.5 };

/** The index of the search: a document for each section of each page. */
export const searchIndex = (chapters: readonly Chapter[], pages: ReadonlyMap<string, RenderedPage>): string => {
  const index = new MiniSearch<IndexedSection>(SEARCH_OPTIONS);
  let id = 0;
  for (const chapter of chapters)
    for (const page of chapter.pages) {
      const { title, sections } = pages.get(page)!;
      for (const section of sections) {
        const anchor = section.depth === 1 ? '' : `#${section.anchor}`;
        index.add({
          id: id++,
          address: `${addressOf(page)}${anchor}`,
          page: title,
          title: section.title,
          text: section.text,
          excerpt: section.text.length > EXCERPT ? `${section.text.slice(0, EXCERPT).replace(/\s+\S*$/, '')} …` : section.text,
          weight: WEIGHTS[chapter.title] ?? 1,
        });
      }
    }
  return JSON.stringify(index);
};
