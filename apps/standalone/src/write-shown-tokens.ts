import { readFile, writeFile } from 'node:fs/promises';

import { shownTokensSource } from './shown-tokens.js';

const PATH = 'libs/service/config/src/shown-tokens.ts';

const content = shownTokensSource('.');
if (!process.argv.includes('--check')) await writeFile(PATH, content);
else if ((await readFile(PATH, 'utf8')) !== content) {
  process.stderr.write(`${PATH} is stale: npm run docs:generate\n`);
  process.exitCode = 1;
}
