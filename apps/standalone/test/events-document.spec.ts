import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { describe, expect, it } from '@jest/globals';

import { STREAMS } from '#service/platform';

const PAGE = await readFile(join(import.meta.dirname, '../../../docs/events.md'), 'utf8');
/** Without the generated table, which names every event anyway. */
const WRITTEN = PAGE.replace(/<!-- Generated from[\s\S]*?<!-- End of/, '');

/** The names of events in the rows of the tables: a cell of nothing but such names. */
const DESCRIBED = [...WRITTEN.matchAll(/^\|(.*)\|$/gm)]
  .flatMap(([, row = '']) => row.split('|', 2).map((cell) => cell.trim()))
  .filter((cell) => /^([A-Z][a-z]+){1,}(, ([A-Z][a-z]+){2,})*$/.test(cell))
  .flatMap((cell) => cell.split(', '));

describe('docs/events.md', () => {
  it.each(STREAMS.map(({ category, terms }) => ({ category, terms })))(
    'describes the streams of $category and their events',
    ({ category, terms }) => {
      expect(WRITTEN).toContain(`\`${category}-`);
      expect([...terms.events.types].filter((type) => !DESCRIBED.includes(type))).toEqual([]);
    },
  );

  it('describes no event that is not declared', () => {
    const declared = STREAMS.flatMap(({ terms }) => [...terms.events.types]);
    const isEvent = (name: string): boolean => /^([A-Z][a-z]+){2,}$/.test(name);
    expect(DESCRIBED.filter((name) => isEvent(name) && !declared.includes(name))).toEqual([]);
  });
});
