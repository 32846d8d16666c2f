import { addressOf, relativeTo } from './addresses.ts';
import { type Chapter, LABELS } from './chapters.ts';
import { escaped } from './highlight.ts';
import type { RenderedPage } from './render-page.ts';

export interface Site {
  readonly chapters: readonly Chapter[];
  readonly pages: ReadonlyMap<string, RenderedPage>;
  /** The paths of the built script and stylesheet. */
  readonly script: string;
  readonly style: string;
}

const MARK = 'mark.svg';
/** The path at which services show the site. */
const MOUNT = '/guide';
/** Pages of a chapter. */
const LONG = 20;
export const FEED = 'changelog.atom';

/** The document of a page. Nothing in it is inline, and every reference is relative. */
export const documentOf = (site: Site, page: string): string => {
  const { title, html, sections } = site.pages.get(page)!;
  return layout(site, {
    to: (address) => escaped(relativeTo(addressOf(page), address)),
    title,
    current: page,
    content: `<article>${html}</article>\n${neighbours(site, page)}`,
    contents: sections.filter(({ depth }) => depth === 2),
  });
};

/** The document for every address that has no page, however deep: its references begin at the root of the server. */
export const missingDocument = (site: Site): string =>
  layout(site, {
    to: (address) => escaped(`${MOUNT}/${address}`),
    title: 'There is no such page',
    current: undefined,
    content: '<article><h1>There is no such page</h1><p>It may have moved. Search for it, or choose it from the list of pages.</p></article>',
    contents: [],
  });

interface Parts {
  /** The reference to an address of the site. */
  readonly to: (address: string) => string;
  readonly title: string;
  readonly current: string | undefined;
  readonly content: string;
  readonly contents: readonly { readonly anchor: string; readonly title: string }[];
}

const layout = (site: Site, { to, title, current, content, contents }: Parts): string => {
  const name = title === 'Countersign' ? title : `${title} · Countersign`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escaped(name)}</title>
<link rel="icon" href="${to(MARK)}" type="image/svg+xml">
<link rel="stylesheet" href="${to(site.style)}">
<link rel="alternate" type="application/atom+xml" title="Changelog" href="${to(FEED)}">
<script type="module" src="${to(site.script)}"></script>
</head>
<body data-site="${to('')}">
<a class="skip" href="#content">Skip to the content</a>
<header class="top">
<a class="brand" href="${to('')}"><img src="${to(MARK)}" alt="" width="28" height="28"> <span>Countersign</span></a>
<button class="open-search" type="button" aria-keyshortcuts="/"><span>Search</span> <kbd aria-hidden="true">/</kbd></button>
<button class="open-pages" type="button" aria-expanded="false" aria-controls="pages">Pages</button>
</header>
<div class="frame">
<nav class="pages" id="pages" aria-label="Pages">
${site.chapters.map((chapter) => chapterOf(site, chapter, current, to)).join('\n')}
</nav>
<main id="content" tabindex="-1">
${content}
</main>
${contents.length > 1 ? `<nav class="contents" aria-labelledby="contents"><h2 id="contents">On this page</h2><ul>${contents.map(({ anchor, title: heading }) => `<li><a href="#${anchor}">${escaped(heading)}</a></li>`).join('')}</ul></nav>` : ''}
</div>
</body>
</html>
`;
};

const chapterOf = ({ pages }: Site, chapter: Chapter, current: string | undefined, to: (address: string) => string): string => {
  const isOpen = current !== undefined && chapter.pages.includes(current);
  const [first = ''] = chapter.pages;
  // A long chapter is one link to its list, unless one of its pages is open: the documents stay small.
  if (!isOpen && chapter.pages.length > LONG) return `<a class="chapter" href="${to(addressOf(first))}">${escaped(chapter.title)}</a>`;
  const entries = chapter.pages.map((page) => {
    const here = page === current ? ' aria-current="page"' : '';
    return `<li><a href="${to(addressOf(page))}"${here}>${escaped(labelOf(pages, page))}</a></li>`;
  });
  return `<details${isOpen ? ' open' : ''}><summary>${escaped(chapter.title)}</summary><ul>${entries.join('')}</ul></details>`;
};

const labelOf = (pages: Site['pages'], page: string): string => LABELS[page] ?? pages.get(page)!.title;

/** The pages before and after this one in its chapter. */
const neighbours = ({ chapters, pages }: Site, page: string): string => {
  const chapter = chapters.find((each) => each.pages.includes(page))?.pages ?? [];
  const place = chapter.indexOf(page);
  const link = (other: string | undefined, rel: 'prev' | 'next', label: string): string =>
    other === undefined
      ? ''
      : `<a rel="${rel}" href="${escaped(relativeTo(addressOf(page), addressOf(other)))}"><span>${label}</span> ${escaped(labelOf(pages, other))}</a>`;
  return `<nav class="neighbours" aria-label="Before and after">${link(chapter[place - 1], 'prev', 'Before')}${link(chapter[place + 1], 'next', 'Next')}</nav>`;
};
