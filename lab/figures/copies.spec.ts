import { describe, expect, it } from '@jest/globals';

import { passagesOf } from './copies.ts';
import { exportedNames } from './exported-names.ts';
import { placesOfRules } from './rules.ts';
import { flat, grouped, treeOf } from './testing/small-trees.ts';

const lines = (...names: readonly string[]): string => names.map((name) => `  const ${name} = 1;\n`).join('');
const six = lines('a', 'b', 'c', 'd', 'e', 'f');
const passages = (files: Readonly<Record<string, string>>) => passagesOf(treeOf(files), Object.keys(files));

describe('a passage', () => {
  it('is six equal lines in two places', () => {
    expect(passages({ 'a.ts': `x();\n${six}`, 'b.ts': `${six}y();\n` })).toEqual([{ lines: 6, places: ['a.ts:2', 'b.ts:1'] }]);
  });

  it('is not five lines', () => {
    expect(passages({ 'a.ts': lines('a', 'b', 'c', 'd', 'e'), 'b.ts': lines('a', 'b', 'c', 'd', 'e') })).toEqual([]);
  });

  it('is as long as the places agree, and counted once', () => {
    const nine = `${six}${lines('g', 'h', 'i')}`;
    expect(passages({ 'a.ts': `${nine}x();\n`, 'b.ts': nine })).toEqual([{ lines: 9, places: ['a.ts:1', 'b.ts:1'] }]);
  });

  it('may stand twice in one file, and in three files', () => {
    expect(passages({ 'a.ts': `${six}x();\n${six}` })).toEqual([{ lines: 6, places: ['a.ts:1', 'a.ts:8'] }]);
    expect(passages({ 'a.ts': six, 'b.ts': six, 'c.ts': six })).toEqual([{ lines: 6, places: ['a.ts:1', 'b.ts:1', 'c.ts:1'] }]);
  });

  it('is not in a file that is generated', () => {
    expect(passages({ 'a.ts': `// Generated from docs/api.json: npm run docs:generate\n${six}`, 'b.ts': six })).toEqual([]);
  });

  it('is not one line repeated', () => {
    expect(passages({ 'a.ts': lines(...Array.from({ length: 9 }, () => 'a')) })).toEqual([]);
  });

  it('has no blank lines, comments, imports and brackets, and indents do not count', () => {
    const written =
      "import {\n  a,\n} from './a.js';\n\n/**\n * A comment\n * of lines.\n */\n{\n  one();\n\n  two(); // why\n  three();\n}\nfour();\n";
    const other = '    one();\n    two();\n    // another comment\n    three();\n    {\n    four();\n';
    expect(passages({ 'a.ts': `${written}five();\nsix();\n`, 'b.ts': `${other}five();\nsix();\n` })).toEqual([
      { lines: 6, places: ['a.ts:10', 'b.ts:1'] },
    ]);
    expect(passages({ 'a.ts': written, 'b.ts': written })).toEqual([]);
  });
});

describe('the places of a rule', () => {
  const placesIn = (text: string) => placesOfRules(treeOf({ 'a.ts': text }), ['a.ts']);

  it('are loops without an end', () => {
    const loops =
      'for (;;) {}\nfor (let attempt = 1; ; attempt += 1) {}\ndo {\n} while (again);\nwhile (true) {}\nfor (let i = 0; i < 9; i += 1) {}\nundo {\n';
    expect(placesIn(loops)['loops without an end']).toEqual(['a.ts:1', 'a.ts:2', 'a.ts:3', 'a.ts:5']);
  });

  it('are the names by which calls of the store were saved by hand', () => {
    const threads = 'found.judgeWritten(session);\nconst work = this.#inOneCommit(both);\npurpose();\nproposes(state);\n';
    expect(placesIn(threads)['calls of the store that are saved by hand']).toEqual(['a.ts:1', 'a.ts:2', 'a.ts:4']);
  });

  it('are the fields that need consent, in both spellings', () => {
    const lists =
      "const a = ['name', 'allowedAttributes', 'allowedPredicates'];\nnew Set(['allowed_attributes', 'allowed_predicates']);\nallowedAttributes;\n";
    expect(placesIn(lists)['fields that need consent']).toEqual(['a.ts:1', 'a.ts:2']);
  });

  it('are classes of deceptive characters, and forms of a SHA-512', () => {
    const patterns = 'const A = /[\\p{Cc}\\u202a-\\u202e]/u;\nconst B = /[\\p{Cc}\\p{Bidi_Control}]/u;\nconst C = /^[0-9a-fA-F]{128}$/;\n';
    expect(placesIn(patterns)).toMatchObject({ 'characters of deceptive text': ['a.ts:1', 'a.ts:2'], 'the form of a SHA-512': ['a.ts:3'] });
  });
});

describe('the names that libraries export', () => {
  it('are counted, and those that no file imports', () => {
    expect(exportedNames(flat())).toEqual({
      exported: ['kernel clock', 'kernel Clock', 'store Store', 'store Spare', 'login login'],
      unused: ['store Spare'],
    });
  });

  it('are counted in groups', () => {
    expect(exportedNames(grouped())).toEqual({ exported: ['kernel clock', 'engines/event-store Store'], unused: ['kernel clock'] });
  });
});
