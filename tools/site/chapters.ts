import { existsSync, globSync } from 'node:fs';
import { join } from 'node:path';

/** A part of the list of pages. */
export interface Chapter {
  readonly title: string;
  /** The files of its pages from the root of the repository, in order. */
  readonly pages: readonly string[];
}

/** The first page of the site. */
export const HOME = 'docs/README.md';

/** Names in the list of pages, where the heading of the page is not enough there. */
export const LABELS: Readonly<Record<string, string>> = {
  'README.md': 'The first start',
  'docs/relying-party.md': 'The guide',
  'docs/webhooks.md': '6. Webhooks',
  'docs/specification/README.md': 'How to read it',
  'docs/runbooks/README.md': 'All runbooks',
  'docs/adr/README.md': 'All decisions',
};

/** The pages of a folder, its README.md first. */
const folder = (path: string) => (root: string) =>
  globSync(`${path}/*.md`, { cwd: root }).toSorted((a, b) => Number(b.endsWith('/README.md')) - Number(a.endsWith('/README.md')) || (a < b ? -1 : 1));

const files =
  (...paths: readonly string[]) =>
  (root: string) =>
    paths.filter((path) => existsSync(join(root, path)));

/** The chapter of every page of docs that no chapter names. */
const OTHERS = 'Reference';

/** What a relying party reads comes first. The last chapters are for those who run, judge or change the service. */
const CHAPTERS: readonly (readonly [string, (root: string) => readonly string[]])[] = [
  ['Start', files(HOME, 'README.md')],
  [
    'Relying parties',
    files(
      'docs/relying-party.md',
      'docs/relying-party/register.md',
      'docs/relying-party/first-login.md',
      'docs/relying-party/sandbox.md',
      'docs/sandbox-in-ci.md',
      'docs/relying-party/frames.md',
      'docs/relying-party/login-url.md',
      'docs/webhooks.md',
      'docs/relying-party/signing.md',
      'docs/relying-party/production.md',
      'docs/relying-party/more.md',
      'docs/relying-party/plain-http.md',
      'docs/openid.md',
      'docs/portal.md',
    ),
  ],
  [OTHERS, files('docs/errors.md', 'docs/event-catalogue.md', 'docs/browsers.md', 'docs/app-makers.md', 'docs/glossary.md')],
  ['The specification', folder('docs/specification')],
  [
    'Running it',
    files('docs/operator.md', 'docs/configuration.md', 'docs/metrics.md', 'docs/event-stores.md', 'docs/benchmarks.md', 'docs/conformance.md'),
  ],
  ['Runbooks', folder('docs/runbooks')],
  ['How it works', files('docs/architecture.md', 'docs/events.md', 'docs/auditor.md', 'CONTRIBUTING.md', 'CHANGELOG.md')],
  ['Security', folder('docs/security')],
  ['Decisions', folder('docs/adr')],
];

/**
 * The chapters of the site, with every page of docs.
 *
 * @param root the folder of the repository
 * @throws Error when a page is in two chapters
 */
export const chapters = (root: string): readonly Chapter[] => {
  const named = CHAPTERS.map(([title, pages]) => ({ title, pages: pages(root) }));
  const listed = named.flatMap(({ pages }) => pages);
  const twice = listed.filter((page, index) => listed.indexOf(page) !== index);
  if (twice.length > 0) throw new Error(`tools/site/chapters.ts names a page twice: ${twice.join(', ')}`);
  const others = globSync('docs/**/*.md', { cwd: root })
    .filter((page) => !listed.includes(page))
    .toSorted();
  return named.map(({ title, pages }) => ({ title, pages: title === OTHERS ? [...pages, ...others] : pages }));
};
