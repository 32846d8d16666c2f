import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';

import { documents } from '../src/documents.js';

describe('the generated documents', () => {
  it.each([...documents()])('docs/%s is up to date', async (name, content) => {
    expect(await readFile(new URL(`../../../docs/${name}`, import.meta.url), 'utf8')).toBe(content);
  });

  it('have a schema for each event that leaves the service, and no other', () => {
    const made = [...documents().keys()].filter((name) => name.startsWith('schemas/'));
    expect(made.length).toBeGreaterThan(15);
    expect(globSync('schemas/**/*.json', { cwd: new URL('../../../docs', import.meta.url) }).toSorted()).toEqual(made.toSorted());
  });
});
