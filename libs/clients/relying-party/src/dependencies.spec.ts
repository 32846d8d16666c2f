import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';

const folder = import.meta.dirname;
const sources = readdirSync(folder).filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'));
const importsOf = (path: string): string[] => [...readFileSync(path, 'utf8').matchAll(/from '([^']+)'/g)].map(([, name = '']) => name);

/** The part of the package for pages. */
const BROWSER = '../browser/src/index.js';

it.each(sources)('%s needs nothing but Node', (file) => {
  for (const name of importsOf(join(folder, file))) if (name !== BROWSER) expect(name).toMatch(/^(\.\/|node:)/);
});

it.each(readdirSync(join(folder, '../frameworks/src')).filter((file) => !file.endsWith('.spec.ts')))('frameworks/%s needs no framework', (file) => {
  for (const name of importsOf(join(folder, '../frameworks/src', file))) expect(name).toMatch(/^\.\.?\//);
});

it.each(readdirSync(join(folder, '../cli/src')).filter((file) => !file.endsWith('.spec.ts')))('cli/%s needs nothing but Node', (file) => {
  for (const name of importsOf(join(folder, '../cli/src', file))) expect(name).toMatch(/^(\.\/|\.\.\/\.\.\/src\/|node:)/);
});

it('the part for pages needs what attaches a file, and the link to the app', () => {
  const names = importsOf(join(folder, BROWSER.replace(/js$/, 'ts')));
  expect([...new Set(names)].toSorted()).toEqual(['../../../../signatures/asic/browser/src/index.js', '../../src/app-link.js']);
});

describe('the code that the SDK shares with the service for attaching a file', () => {
  const reached = new Set<string>();
  const follow = (path: string): void => {
    if (reached.has(path)) return;
    reached.add(path);
    for (const name of importsOf(path)) {
      expect(name).toMatch(/^\.\.?\//);
      follow(join(path, '..', name.replace(/\.js$/, '.ts')));
    }
  };

  it('imports no package and uses nothing of Node', () => {
    follow(join(folder, '../../../signatures/asic/browser/src/index.ts'));
    expect(reached.size).toBeGreaterThan(5);
    for (const path of reached) expect(readFileSync(path, 'utf8')).not.toMatch(/\b(Buffer|process)\b/);
  });
});
