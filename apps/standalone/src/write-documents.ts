import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { documents } from './documents.js';

const check = process.argv.includes('--check');

for (const [name, content] of documents()) {
  const path = join('docs', name);
  if (!check) await writeFile(path, content);
  else if ((await readFile(path, 'utf8')) !== content) {
    process.stderr.write(`${path} is stale: npm run docs:generate\n`);
    process.exitCode = 1;
  }
}
