import { readFile } from 'node:fs/promises';

import { documents } from '../src/documents.js';

describe('the generated documents', () => {
  it.each([...documents()])('docs/%s is up to date', async (name, content) => {
    expect(await readFile(new URL(`../../../docs/${name}`, import.meta.url), 'utf8')).toBe(content);
  });
});
