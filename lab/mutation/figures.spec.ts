import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from '@jest/globals';

import { figuresOf, withFigures } from './figures.ts';

const DOCUMENT = readFileSync(join(import.meta.dirname, '../../docs/security/mutation-tests.md'), 'utf8');
const place = { start: { line: 1, column: 1 }, end: { line: 1, column: 2 } };
const mutant = (status: string, replacement: string) => ({ mutatorName: 'Any', replacement, status, location: place });
const report = {
  files: {
    'libs/b.ts': { source: 'b', mutants: [mutant('Killed', 'x'), mutant('Survived', 'y'), mutant('Survived', 'z'), mutant('Ignored', 'w')] },
    'libs/a.ts': { source: 'a', mutants: [mutant('Ignored', 'x')] },
  },
};
const equivalent = [{ file: 'libs/b.ts', text: 'b', original: 'b', replacement: 'y', why: 'it is the same' }];

describe('the figures of a mutation run', () => {
  it('are of each file in which a change could be judged', () => {
    expect(figuresOf(report, equivalent)).toEqual([{ file: 'libs/b.ts', judged: 3, noticed: 1, equivalent: 1 }]);
  });

  it('take the place of those of the same file, in the order of the files', () => {
    const empty = 'Before.\n\n<!-- figures -->\n\n<!-- end of figures -->\n\nAfter.\n';
    const [first, second] = [
      { file: 'libs/b.ts', judged: 3, noticed: 1, equivalent: 1 },
      { file: 'libs/a.ts', judged: 1, noticed: 1, equivalent: 0 },
    ];
    const once = withFigures(withFigures(empty, [first]), [second]);
    expect(once.split('\n').filter((line) => line.startsWith('| `'))).toEqual(['| `libs/a.ts` | 1 | 1 | 0 |', '| `libs/b.ts` | 3 | 1 | 1 |']);
    expect(withFigures(once, [{ ...first, noticed: 2 }])).toContain('| `libs/b.ts` | 3 | 2 | 1 |');
    expect(once.startsWith('Before.')).toBe(true);
    expect(once.endsWith('After.\n')).toBe(true);
  });

  it('of the page show that each file is measured, and that every survivor is named', () => {
    expect(withFigures(DOCUMENT, [])).toBe(DOCUMENT);
    const rows = [...DOCUMENT.matchAll(/^\| `([^`]+)` \| (\d+) \| (\d+) \| (\d+) \|$/gm)].map(
      ([, file, ...counts]) => [file, ...counts.map(Number)] as const,
    );
    expect(rows.filter(([, judged, noticed, named]) => judged !== noticed! + named!)).toEqual([]);
    const [all, noticed] = [1, 2].map((column) => rows.reduce((sum, row) => sum + Number(row[column]), 0));
    expect(noticed! / all!).toBeGreaterThanOrEqual(0.85);
  });
});
