import { globSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

import { describe, expect, it } from '@jest/globals';

const ROOT = resolve(import.meta.dirname, '../../..');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

/** The apps that have a controller below `/…/v1/`. */
const APPS = [
  ...new Set(
    globSync('apps/*/src/**/*.controller.ts', { cwd: ROOT })
      .filter((path) => /@Controller\('[a-z-]+\/v1/.test(read(path)))
      .map((path) => dirname(path)),
  ),
];

describe('every app with an API', () => {
  it('is found', () => {
    expect(APPS.length).toBeGreaterThan(4);
  });

  it.each(APPS)('declares budgets, without which it would check none: %s', (source) => {
    const starts = read(join(source, 'app.ts'));
    expect(starts.match(/\bcreateHttpApp\(/g)).toHaveLength(1);
    expect(starts).toMatch(/\bbudgets: [A-Z_]+_BUDGETS\b/);
  });
});
