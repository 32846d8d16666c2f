import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from '@jest/globals';

import { boundWords, exportedNames, holds } from './exported-names.js';

const ROOT = join(import.meta.dirname, '../../..');
const text = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const isProduct = (path: string): boolean => !/\.spec\.ts$|\.d\.ts$|\/(?:test|testing|page|phone|dist|node_modules)\//.test(path);
const names = globSync('{libs,apps}/**/*.ts', { cwd: ROOT })
  .filter(isProduct)
  .flatMap((path) => exportedNames(path, text(path)));
const words = boundWords(text('docs/glossary.md'));

describe('exported names', () => {
  it.each(words)('that hold "$word" are where the glossary says', ({ word, places }) => {
    const [first = ''] = word.split(' ');
    const found = names.filter(({ name }) => holds(name, first));
    expect(found.filter(({ file }) => !places.some((place) => file.startsWith(`${place}/`)))).toEqual([]);
    expect(places.filter((place) => !found.some(({ file }) => file.startsWith(`${place}/`)))).toEqual([]);
  });

  it('mean one thing in all libraries and services, but for a command and the use case that decides it', () => {
    const files = new Map<string, string[]>();
    for (const { name, file, isType } of names)
      // What others install, and pages, have names of their own.
      if (isType && !file.startsWith('libs/clients/') && !file.startsWith('libs/web-page/'))
        files.set(name, [...new Set([...(files.get(name) ?? []), file])]);
    const isCommandAndUseCase = (at: readonly string[]): boolean =>
      at.length === 2 && at.some((file) => file.endsWith('.commands.ts')) && at.some((file) => file.includes('/use-cases/'));
    const several = [...files].filter(([, at]) => at.length > 1 && !isCommandAndUseCase(at));
    expect(files.size).toBeGreaterThan(1_000);
    expect(several).toEqual([]);
  });
});

describe('a name in camel case', () => {
  it.each([
    ['AddDelivery', 'delivery', true],
    ['Deliveries', 'delivery', true],
    ['Statements', 'statement', true],
    ['Planet', 'lane', false],
    ['SignedStatementText', 'statement', true],
    ['Undelivered', 'delivery', false],
  ])('%s holds "%s": %s', (name, word, expected) => {
    expect(holds(name, word)).toBe(expected);
  });
});
