import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';

const folder = import.meta.dirname;
const sources = readdirSync(folder).filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'));

it.each(sources)('%s needs nothing but Node', (file) => {
  const imported = [...readFileSync(join(folder, file), 'utf8').matchAll(/from '([^']+)'/g)].map(([, name]) => name);
  for (const name of imported) expect(name).toMatch(/^(\.\/|node:)/);
});
