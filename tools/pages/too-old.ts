/** The part of a document that says that its browser is too old. */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

import { transform } from 'esbuild';

import { NEEDED_FUNCTIONS } from './needed-functions.ts';

const read = (name: string): Promise<string> => readFile(fileURLToPath(new URL(name, import.meta.url)), 'utf8');

/** `too-old.html` with both of its scripts inside: the one that needs new syntax, and the one that every browser can read. */
export const tooOldNotice = async (): Promise<string> => {
  const syntax = await transform(await read('./knows-syntax.js'), { minify: true, target: 'es2022' });
  // Not by `define`, which puts the list into a global variable.
  const source = (await read('./too-old.js')).replace('NEEDED_FUNCTIONS', JSON.stringify(NEEDED_FUNCTIONS));
  const check = await transform(source, { minify: true, target: 'es5' });
  const html = await read('./too-old.html');
  return html.replace('%SYNTAX%', () => syntax.code.trim()).replace('%TOO_OLD%', () => check.code.trim());
};
