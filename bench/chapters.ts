import { readFile, writeFile } from 'node:fs/promises';

const PAGE = 'docs/benchmarks.md';
/** The first line of the chapter that `npm run bench -- scale` writes. The rest of the page is written by `npm run bench`. */
const GROWTH = '## Growth';

const parts = async (): Promise<{ readonly before: string; readonly growth: string }> => {
  const page = await readFile(PAGE, 'utf8').catch(() => '');
  const at = page.indexOf(`\n${GROWTH}\n`);
  return at < 0 ? { before: page, growth: '' } : { before: page.slice(0, at), growth: page.slice(at) };
};

/** Replaces the page, and keeps the chapter about growth. */
export const writeThroughput = async (text: string): Promise<void> => writeFile(PAGE, `${text.trimEnd()}\n${(await parts()).growth}`);

/** Replaces the chapter about growth. */
export const writeGrowth = async (text: string): Promise<void> =>
  writeFile(PAGE, `${(await parts()).before.trimEnd()}\n\n${GROWTH}\n\n${text.trimEnd()}\n`);
