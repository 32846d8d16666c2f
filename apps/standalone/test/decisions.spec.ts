import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from '@jest/globals';

import { wrongDecisions } from './decisions.js';

const FOLDER = join(import.meta.dirname, '../../../docs/adr');

describe('docs/adr', () => {
  it('has a status on each page, an index of all pages, and superseded pages that name their successors', () => {
    const pages = new Map(readdirSync(FOLDER).map((file) => [file, readFileSync(join(FOLDER, file), 'utf8')]));
    expect(pages.size).toBeGreaterThan(50);
    expect(wrongDecisions(pages)).toEqual([]);
  });
});

describe('a folder of decisions', () => {
  const FIRST = '# 0001 One\n\nStatus: superseded by [0003](0003-three.md)\n\n## Context\n';
  const THIRD = '# 0003 Three\n\nStatus: accepted\n\nSupersedes [0001](0001-one.md)\n\n## Context\n';
  const INDEX = '| [0001](0001-one.md) | One | superseded by [0003](0003-three.md) | a |\n| [0003](0003-three.md) | Three | accepted | b |\n';
  const wrong = (changed: Readonly<Record<string, string>>): readonly string[] =>
    wrongDecisions(new Map(Object.entries({ '0001-one.md': FIRST, '0003-three.md': THIRD, 'README.md': INDEX, ...changed })));

  it('may have holes in its numbers', () => {
    expect(wrong({})).toEqual([]);
  });

  it.each([
    ['a page that the index lacks', { '0004-four.md': '# 0004 Four\n\nStatus: accepted\n\n' }, 'the index does not list each page once, in order'],
    ['a page without a status', { '0003-three.md': '# 0003 Three\n\n## Context\n' }, '0003-three.md: no title with its number, or no status'],
    ['a status of its own kind', { '0003-three.md': THIRD.replace('accepted', 'old') }, '0003-three.md: not a status'],
    [
      'a page with the number of another one',
      { '0003-three.md': THIRD.replace('0003', '0002') },
      '0003-three.md: no title with its number, or no status',
    ],
    ['an index with another title', { 'README.md': INDEX.replace('Three', 'Third') }, 'README.md: the title of 0003 is another one'],
    ['an index with another status', { 'README.md': INDEX.replace('accepted', 'proposed') }, 'README.md: the status of 0003 is another one'],
    ['a successor that does not name it', { '0003-three.md': THIRD.replace(/Supersedes .*\n\n/, '') }, '0001-one.md: its successor does not name it'],
    [
      'a superseded page that does not say so',
      { '0001-one.md': FIRST.replace(/superseded by .*/, 'accepted') },
      '0003-three.md: 0001-one.md does not name it as its successor',
    ],
    ['a successor that is not there', { '0001-one.md': FIRST.replace('0003-three', '0009-nine') }, '0001-one.md: its successor does not name it'],
  ])('may not have %s', (_, changed, fault) => {
    expect(wrong(changed as Readonly<Record<string, string>>)).toContain(fault);
  });
});
