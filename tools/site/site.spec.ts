import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import MiniSearch from 'minisearch';

import { type IndexedSection, SEARCH_OPTIONS } from '../../apps/standalone/guide/src/search-options.ts';
import { anchorsOf } from '../../apps/standalone/test/citations.ts';
import { addressOf, fileOf, relativeTo } from './addresses.ts';
import { chapters } from './chapters.ts';
import { changelogFeed } from './feed.ts';
import { Links } from './links.ts';
import { type RenderedPage, renderPage } from './render-page.ts';
import { searchIndex } from './search-index.ts';

const ROOT = resolve('.');
const BUILT = resolve('dist/pages/guide');
const ALL = chapters(ROOT);
const SOURCES = ALL.flatMap(({ pages }) => pages);
const rendered = new Map<string, RenderedPage>(
  SOURCES.map((page) => [page, renderPage(page, readFileSync(join(ROOT, page), 'utf8'), (target) => target)]),
);

describe('the pages of the site', () => {
  it('are all pages of docs, each at an address of its own', () => {
    expect(SOURCES).toEqual(expect.arrayContaining(globSync('docs/**/*.md', { cwd: ROOT })));
    expect(new Set(SOURCES.map(addressOf)).size).toBe(SOURCES.length);
    expect(SOURCES.length).toBeGreaterThan(200);
  });

  it('have the anchors that GitHub gives, so that a link holds in both places', () => {
    for (const [page, { sections }] of rendered)
      expect([page, sections.map(({ anchor }) => anchor)]).toEqual([page, [...anchorsOf(readFileSync(join(ROOT, page), 'utf8'))]]);
  });

  it('run nothing inline, load nothing of others, and hold no style that the policy would refuse', () => {
    for (const page of SOURCES) {
      const html = readFileSync(join(BUILT, fileOf(addressOf(page))), 'utf8').replaceAll(/<pre[^]*?<\/pre>/g, '');
      expect([page, html.match(/<script(?! type="module" src="[^":]+"><\/script>)|<style|<iframe|<object| style="| on\w+="/g)]).toEqual([page, null]);
      for (const [, target = ''] of html.matchAll(/<(?:script|img|link)\b[^>]*?(?:src|href)="([^"]+)"/g))
        expect([page, target]).toEqual([page, expect.not.stringMatching(/^(\w+:|\/)/)]);
    }
  });
});

describe('a page', () => {
  const render = (markdown: string): string => renderPage('docs/a.md', markdown, (target) => target).html;

  it('shows code as text, whatever is in it', () => {
    expect(render('# A\n\n```ts\nconst a = "</code><script>alert(1)</script>";\n```\n')).not.toContain('<script>');
    expect(render('# A\n\n`<script>`')).toContain('<code>&lt;script&gt;</code>');
  });

  it.each(['# A\n\n<script>alert(1)</script>\n', '# A\n\na <img src=x onerror=alert(1)> b', '# A\n\n| a |\n|---|\n| Bearer <token> |\n'])(
    'may not bring markup of its own: %j',
    (markdown) => {
      expect(() => render(markdown)).toThrow('docs/a.md: markup is not allowed on the site');
    },
  );

  it('has a heading first', () => {
    expect(() => render('text\n\n# A\n')).not.toThrow();
    expect(() => render('## A\n')).toThrow('docs/a.md does not begin with a heading');
  });

  it('cannot break out of an attribute by a link or a picture', () => {
    expect(render('# A\n\n[a](<x" onclick="alert(1)>) ![b" onerror="alert(1)](y)')).not.toMatch(/ on\w+="/);
  });
});

describe('a link', () => {
  const links = (): Links => new Links(ROOT, new Set(['docs/README.md', 'docs/a.md', 'docs/b/README.md', 'docs/b/c.md', 'README.md']));
  const anchors = new Map([
    ['docs/a.md', new Set(['one'])],
    ['docs/b/c.md', new Set(['two'])],
  ]);

  it.each([
    ['docs/a.md', 'b/c.md#two', 'b/c#two'],
    ['docs/a.md', '#one', '#one'],
    ['docs/b/c.md', '../a.md', '../a'],
    ['docs/b/c.md', 'README.md', './'],
    ['docs/a.md', 'b', 'b/'],
    ['docs/b/c.md', '../../README.md', '../start'],
    ['docs/b/c.md', '../README.md', '../'],
    ['docs/a.md', 'https://example.com/#x', 'https://example.com/#x'],
    ['docs/a.md', 'asyncapi.yaml', 'asyncapi.yaml'],
    ['docs/a.md', '../libs/kernel', 'https://github.com/countersign/countersign/blob/main/libs/kernel'],
  ])('of %s to %s becomes %s', (page, target, expected) => {
    const all = links();
    expect(all.resolve(page, target)).toBe(expected);
    expect(all.dead(anchors)).toEqual([]);
  });

  it.each([
    ['docs/a.md', 'none.md'],
    ['docs/a.md', 'images/none.png'],
    ['docs/a.md', '#none'],
    ['docs/b/c.md', '../a.md#none'],
  ])('of %s to %s is dead', (page, target) => {
    const all = links();
    all.resolve(page, target);
    expect(all.dead(anchors)).toEqual([`${page}: ${target}`]);
  });

  it('from a page to one whose address is its folder leads up', () => {
    expect(relativeTo('relying-party/register', 'relying-party')).toBe('../relying-party');
    expect(new URL(relativeTo('relying-party/register', 'relying-party'), 'https://a.example/guide/relying-party/register').pathname).toBe(
      '/guide/relying-party',
    );
  });
});

describe('the search', () => {
  const index = MiniSearch.loadJSON<IndexedSection>(searchIndex(ALL, rendered), SEARCH_OPTIONS);
  const first = (words: string): string[] =>
    index
      .search(words)
      .slice(0, 5)
      .map((found) => String(found['address']));

  it.each([
    ['loginUrl', 'relying-party/login-url'],
    ['register', 'relying-party/register'],
    ['frames', 'relying-party/frames#codes-that-change-each-second-frames'],
    ['rate limits', 'specification/conventions#rate-limits'],
    ['WEBHOOK_ALLOWED', 'webhooks#an-endpoint'],
    ['sandbx', 'specification/sandbox'],
  ])('finds among the first: %s', (words, address) => {
    expect(first(words)).toContain(address);
  });

  it('finds nothing for words that stand nowhere', () => {
    expect(first('xylophonist')).toEqual([]);
  });
});

describe('the feed', () => {
  const CHANGELOG =
    '# Changelog\n\n## Unreleased\n\n- **a**: later\n\n## 0.2.0 (2027-01-02)\n\n### Added\n\n- **a**: <b> & "c"\n\n<!-- up to commit abc -->\n\n## 0.1.0 (2026-11-21)\n\n- first\n';
  const feed = changelogFeed(CHANGELOG, (markdown) => renderPage('x', `# x\n\n${markdown.replace('<b>', '`<b>`')}`, (target) => target).html);

  it('has an entry for each release and none for what is not released', () => {
    expect([...feed.matchAll(/<title>([^<]*)<\/title>\s*<updated>([^<]*)</g)].map(([, title, updated]) => [title, updated])).toEqual([
      ['Countersign: changelog', '2027-01-02T00:00:00Z'],
      ['Countersign 0.2.0', '2027-01-02T00:00:00Z'],
      ['Countersign 0.1.0', '2026-11-21T00:00:00Z'],
    ]);
    expect(feed).not.toContain('later');
    expect(feed).not.toContain('up to commit');
  });

  it('needs a release', () => {
    expect(() => changelogFeed('# Changelog\n\n## Unreleased\n', (text) => text)).toThrow('CHANGELOG.md has no release');
  });
});
