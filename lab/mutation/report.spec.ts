import { describe, expect, it } from '@jest/globals';

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { PARTS } from './parts.ts';
import { type EquivalentMutant, isEquivalent, type MutationReport, outcomeOf } from './report.ts';

const ROOT = join(import.meta.dirname, '../..');

const mutant = (status: string, line: number, from: number, to: number, replacement: string, endLine = line) => ({
  mutatorName: 'ConditionalExpression',
  replacement,
  status,
  location: { start: { line, column: from }, end: { line: endLine, column: to } },
});
const report: MutationReport = {
  files: {
    'libs/a.ts': {
      source: 'if (a === b) return;\nif (\n  c\n) return;',
      mutants: [
        mutant('Killed', 1, 5, 12, 'true'),
        mutant('Timeout', 1, 5, 12, 'false'),
        mutant('Survived', 1, 5, 12, 'a !== b'),
        mutant('NoCoverage', 2, 4, 2, 'true', 4),
        mutant('CompileError', 1, 5, 12, '!'),
        mutant('Ignored', 1, 5, 12, '?'),
      ],
    },
  },
};

describe('the report of a mutation run', () => {
  it('counts the noticed mutants, and shows each survivor at its place', () => {
    expect(outcomeOf(report)).toEqual({
      noticed: 2,
      survivors: [
        { file: 'libs/a.ts', line: 1, text: 'if (a === b) return;', original: 'a === b', replacement: 'a !== b' },
        { file: 'libs/a.ts', line: 2, text: 'if (', original: '( c )', replacement: 'true' },
      ],
    });
  });

  it('recognises an equivalent survivor by file, text and replacement', () => {
    const [survivor] = outcomeOf(report).survivors;
    const known = { file: 'libs/a.ts', text: 'if (a', original: 'a ===', replacement: 'a !== b', why: 'it is' };
    expect(isEquivalent(survivor!, [known])).toBe(true);
    for (const other of [{ file: 'libs/b.ts' }, { text: 'if (b' }, { original: 'b' }, { replacement: 'true' }])
      expect(isEquivalent(survivor!, [{ ...known, ...other }])).toBe(false);
  });
});

describe('the parts that are mutated', () => {
  it('name files and folders that exist', () => {
    const named = PARTS.flatMap(({ mutate, roots }) => [...mutate, ...roots]).filter((path) => !/[*!]/.test(path));
    expect(named.length).toBeGreaterThan(30);
    expect(named.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  });

  it('have equivalent mutants whose text is still there, each with its reason', () => {
    const equivalent = JSON.parse(readFileSync(join(import.meta.dirname, 'equivalent.json'), 'utf8')) as readonly EquivalentMutant[];
    const gone = equivalent.filter(({ file, text, original }) => {
      const source = existsSync(join(ROOT, file)) ? readFileSync(join(ROOT, file), 'utf8').replaceAll(/\s+/g, ' ') : '';
      return !source.includes(text) || !source.includes(original);
    });
    expect(gone).toEqual([]);
    expect(equivalent.filter(({ why }) => why.length < 20)).toEqual([]);
  });
});
