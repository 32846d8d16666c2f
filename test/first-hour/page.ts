import { readFileSync } from 'node:fs';

import { type DocumentBlock, documentBlocks } from '../support/document-blocks.ts';

/** What is not as the page has it: ports, which may be taken here, and the versions of packages, which the repository has locked. */
export interface Differences {
  readonly ports: Readonly<Record<string, number>>;
  readonly versions: Readonly<Record<string, string>>;
}

/** The blocks of the page, in their order. Throws when the page does not name a port: it has changed. */
export const blocksOf = (file: string, { ports, versions }: Differences): readonly DocumentBlock[] => {
  let page = readFileSync(file, 'utf8');
  for (const [shown, used] of Object.entries(ports)) {
    if (!page.includes(shown)) throw new Error(`${file} names no port ${shown}`);
    page = page.replaceAll(shown, String(used));
  }
  const withVersions = (line: string): string =>
    line
      .split(' ')
      .map((word) => (versions[word] === undefined ? word : `${word}@${versions[word]}`))
      .join(' ');
  return documentBlocks(page.replace(/^npm install .+$/gm, withVersions));
};
