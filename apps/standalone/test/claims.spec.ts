import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

import { describe, expect, it } from '@jest/globals';

import { STREAMS } from '#service/platform';

import { INVENTORIES } from './inventories.js';

const ROOT = join(import.meta.dirname, '../../..');
const texts = new Map<string, string>();
const read = (path: string): string => {
  const text = texts.get(path) ?? readFileSync(join(ROOT, path), 'utf8');
  texts.set(path, text);
  return text;
};

/** A row of a table of claims, by the words of its columns. */
type Row = Readonly<Record<string, string>>;

const OVER = 'Checked over';

/** The rows of all tables that say what they were checked over. A bar inside of code is none between cells. */
const rowsOf = (document: string): readonly Row[] => {
  const rows: Row[] = [];
  let names: readonly string[] = [];
  for (const line of read(document).split('\n')) {
    const cells = line.startsWith('|')
      ? line
          .slice(1, line.lastIndexOf('|'))
          .split(' | ')
          .map((cell) => cell.trim())
      : [];
    if (cells.length === 0) names = [];
    else if (names.length === 0) names = cells;
    else if (names.includes(OVER) && !line.startsWith('|---')) rows.push(Object.fromEntries(names.map((name, at) => [name, cells[at] ?? ''])));
  }
  return rows;
};

const SPECS = globSync('{apps,libs,test,examples,testkit}/**/*.{spec,contract}.ts', { cwd: ROOT, exclude: (name) => name === 'node_modules' });

/** The test files that a cell names: by their path, or in cross-device.md by the beginning of their name. */
const testsIn = (cell: string): readonly string[] =>
  [...cell.matchAll(/`([^`]+)`/g)].flatMap(([, code = '']) => {
    const [name = ''] = code.split(' › ');
    if (/^(apps|libs|test|examples|testkit)\/[\w./-]+\.(spec|contract)\.ts$/.test(name)) return [name];
    return code.includes(' › ') ? SPECS.filter((path) => basename(path).startsWith(`${name.replace(/\.spec(\.ts)?$/, '')}.`)).slice(0, 1) : [];
  });

const inventoriesIn = (cell: string): readonly string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);

/** Of a row of asvs.md that claims nothing of ours, and of an attack that is not stopped. */
const claimsNothing = (row: Row): boolean => /^(gap|operator)$/.test(row['State'] ?? '') || ['', '–'].includes(row['Test'] ?? 'none');

const DOCUMENTS = [
  ['docs/security/threat-model.md', 'Test', 55],
  ['docs/security/cross-device.md', 'Test', 13],
  ['docs/security/asvs.md', 'Evidence, or the gap', 345],
] as const;

describe.each(DOCUMENTS)('each row of %s', (document, evidence, least) => {
  const rows = rowsOf(document);
  const first = (row: Row): string => Object.values(row)[0] ?? '';

  it('says what it was checked over: inventories of the list, or one thing', () => {
    expect(rows.length).toBeGreaterThanOrEqual(least);
    const wrong = rows.filter((row) => {
      const over = row[OVER] ?? '';
      if (over === '–') return !claimsNothing(row);
      if (/^one: \S/.test(over)) return false;
      const names = inventoriesIn(over);
      return names.length === 0 || over !== names.map((name) => `\`${name}\``).join(', ') || names.some((name) => !(name in INVENTORIES));
    });
    expect(wrong.map((row) => [first(row), row[OVER]])).toEqual([]);
  });

  it('names tests that exist', () => {
    const missing = rows.flatMap((row) =>
      [...(row[evidence] ?? '').matchAll(/`((?:apps|libs|test|examples|testkit|lab)\/[^`]+\.ts)`/g)].flatMap(([, path = '']) =>
        existsSync(join(ROOT, path)) ? [] : [[first(row), path]],
      ),
    );
    expect(missing).toEqual([]);
  });

  it('names a test that runs over each of its inventories', () => {
    const without = rows.flatMap((row) => {
      const tests = testsIn(row[evidence] ?? '').map(read);
      const lacking = inventoriesIn(row[OVER] ?? '').filter((name) => {
        const { madeBy = '' } = INVENTORIES[name] ?? {};
        return !(row[OVER] ?? '').startsWith('one:') && !tests.some((text) => new RegExp(`\\b${madeBy}\\b`).test(text));
      });
      return lacking.map((name) => [first(row), name]);
    });
    expect(without).toEqual([]);
  });

  it('names a test, where it claims something', () => {
    const unproven = rows.filter((row) => evidence === 'Test' && row[OVER] !== '–' && testsIn(row[evidence] ?? '').length === 0);
    expect(unproven.map(first)).toEqual([]);
  });

  it('names titles that its tests have', () => {
    const titled = /`((?:apps|libs|test|examples)\/[\w./-]+\.ts)`(,? ›[^`|]+)/g;
    const wrong = rows.flatMap((row) =>
      [...(row[evidence] ?? '').matchAll(titled)].flatMap(([, path = '', titles = '']) =>
        [...titles.matchAll(/› (?:"([^"]+)"|([^,;.:()›]+))/g)]
          .map(([, quoted, plain = '']) => quoted ?? plain.trim())
          .filter((title) => !read(path).includes(title))
          .map((title) => [first(row), path, title]),
      ),
    );
    expect(wrong).toEqual([]);
  });
});

describe('docs/security/inventories.md', () => {
  const rows = [...read('docs/security/inventories.md').matchAll(/^\| `([^`]+)` \| .+ \| `(\w+)` in `([^`]+)` \|$/gm)];

  it('lists each inventory with the function that makes it', () => {
    expect(Object.fromEntries(rows.map(([, name = '', madeBy, file]) => [name, { madeBy, file }]))).toEqual(INVENTORIES);
  });

  it.each(Object.entries(INVENTORIES))('%s is made by its file, and named by a row', (name, { madeBy, file }) => {
    expect(read(file)).toMatch(new RegExp(`(const|static|function) ${madeBy}\\b`));
    expect(DOCUMENTS.flatMap(([document]) => rowsOf(document)).filter((row) => inventoriesIn(row[OVER] ?? '').includes(name))).not.toEqual([]);
  });
});

describe('the effect of a removed end, in docs/security/threat-model.md', () => {
  it('has a row for each guarded event that takes a right', () => {
    const guarded = STREAMS.filter(({ category }) => category !== 'audit').flatMap(({ terms }) => terms.guarded as readonly string[]);
    const taking = guarded.filter((type) => /(Revoked|Removed|Changed|Ended|Stopped|Disabled|Deleted|Withdrawn|Refused|Locked|Erased)$/.test(type));
    const table = /\| Removed \|[^]*?\n\n/.exec(read('docs/security/threat-model.md'))?.[0] ?? '';
    expect(taking.length).toBeGreaterThan(12);
    expect(taking.filter((type) => !new RegExp(`^\\|[^|]*\\b${type}\\b`, 'm').test(table))).toEqual([]);
  });
});
