import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { describe, expect, it } from '@jest/globals';

const ROOT = join(import.meta.dirname, '../../..');
const FIXTURES = globSync('libs/domain/*/src/domain/*.v1.json', { cwd: ROOT });

describe('docs/events.md', () => {
  it.each(FIXTURES)('describes every event in %s', async (fixture) => {
    const document = await readFile(join(ROOT, 'docs/events.md'), 'utf8');
    const types = [...(await readFile(join(ROOT, fixture), 'utf8')).matchAll(/"type": ?"([A-Za-z]+)"/g)].map(([, type]) => type);
    expect(types.length).toBeGreaterThan(0);
    expect(types.filter((type) => !new RegExp(`\\b${type}\\b`).test(document))).toEqual([]);
  });
});
