import { globSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

import { describe, expect, it } from '@jest/globals';

const ROOT = resolve(import.meta.dirname, '../../..');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

/** The files that start an app. */
const APPS = globSync('apps/*/src/**/*.ts', { cwd: ROOT }).filter((path) => read(path).includes('createHttpApp('));
/** The apps that have a controller below `/…/v1/`. */
const WITH_API = new Set(
  globSync('apps/*/src/**/*.controller.ts', { cwd: ROOT })
    .filter((path) => /@Controller\('[a-z-]+\/v1/.test(read(path)))
    .map((path) => join(dirname(path), 'app.ts')),
);

describe('every app', () => {
  it('is found', () => {
    expect(WITH_API.size).toBeGreaterThan(4);
    expect(APPS).toEqual(expect.arrayContaining([...WITH_API]));
    expect(APPS.length).toBeGreaterThan(WITH_API.size);
  });

  it.each(APPS)('declares budgets, without which it would check none: %s', (path) => {
    const starts = read(path);
    const declared = starts.match(/\bbudgets: (?:[A-Z_]+_BUDGETS|\{\}|\w+ \? [A-Z_]+_BUDGETS : \{\})/g);
    expect(declared).toHaveLength(starts.match(/\bcreateHttpApp\(/g)?.length ?? 0);
    if (WITH_API.has(path)) expect(declared).toEqual([expect.stringMatching(/_BUDGETS$/)]);
  });
});
