import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from '@jest/globals';

const ROOT = join(import.meta.dirname, '../../..');
const PAGES = globSync('docs/**/*.md', { cwd: ROOT }).toSorted();
/** What a relying party copies. All code on these pages is tested. */
const GUIDE = ['docs/relying-party.md', 'docs/webhooks.md', ...PAGES.filter((page) => page.startsWith('docs/relying-party/'))];

interface Slice {
  readonly page: string;
  readonly file: string;
  readonly code: string;
}

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

const slicesOf = (page: string): readonly Slice[] =>
  [...read(page).matchAll(/<!-- slice of (\S+) -->\n```\w+\n(.*?)```/gs)].map(([, file = '', code = '']) => ({ page, file, code }));

/** A slice may be indented less than in its file. */
const unindented = (code: string): string =>
  code
    .split('\n')
    .map((line) => line.trim())
    .join('\n')
    .trim();

const SLICES = PAGES.flatMap(slicesOf);

describe('code that a page of docs shows as a slice of a file', () => {
  it.each(SLICES)('is one on $page: $file', ({ file, code }) => {
    expect(unindented(read(file))).toContain(unindented(code));
  });
});

/** The program of the SDK, whose commands events.conformance runs. */
const COMMANDS = /^```sh\n(?:export .*\n)?npx countersign .*\n```$/gm;

describe('the guide of relying parties', () => {
  it.each(GUIDE)('shows no other code than slices and commands of the SDK: %s', (page) => {
    expect(slicesOf(page).length).toBe(
      [
        ...read(page)
          .replaceAll(COMMANDS, '')
          .matchAll(/^```(?:ts|js|sh|html)$/gm),
      ].length,
    );
  });

  it('shows code on most of its pages', () => {
    expect(GUIDE.filter((page) => slicesOf(page).length > 0).length).toBeGreaterThan(6);
  });

  it('has its pages in the order of its first page, and each leads to the next one', () => {
    const listed = [...read('docs/relying-party.md').matchAll(/^(\d)\. \[[^\]]+\]\(([^)]+)\)/gm)].map(([, number, page = '']) => ({ number, page }));
    expect(listed.map(({ number }) => number)).toEqual(['1', '2', '3', '4', '5', '6', '7', '8']);
    const numbered = listed.filter(({ page }) => page.startsWith('relying-party/'));
    for (const { number, page } of numbered) expect(read(`docs/${page}`)).toMatch(new RegExp(`^# ${number}\\. `));
    for (const [index, { page }] of listed.slice(0, -1).entries()) {
      const next = listed[index + 1]?.page.replace(/^.*\//, '');
      expect([page, read(`docs/${page}`).includes(`${next})`)]).toEqual([page, true]);
    }
  });
});
