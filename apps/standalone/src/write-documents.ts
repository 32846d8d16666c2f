import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { documents } from './documents.js';

const check = process.argv.includes('--check');

for (const [name, content] of documents()) {
  const path = join('docs', name);
  if (!check) {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, content);
  } else if ((await readFile(path, 'utf8').catch(() => '')) !== content) {
    process.stderr.write(`${path} is stale: npm run docs:generate\n`);
    process.exitCode = 1;
  }
}
