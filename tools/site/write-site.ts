import { createHash } from 'node:crypto';
import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

import { addressOf, fileOf } from './addresses.ts';
import { chapters } from './chapters.ts';
import { changelogFeed } from './feed.ts';
import { documentOf, FEED, missingDocument, type Site } from './layout.ts';
import { Links } from './links.ts';
import { type RenderedPage, renderPage } from './render-page.ts';
import { searchIndex } from './search-index.ts';

export interface SiteOptions {
  /** The folder of the repository. */
  readonly root: string;
  /** The folder that is filled. It has the assets already. */
  readonly out: string;
  /** The paths of the built script and stylesheet below that folder. */
  readonly script: string;
  readonly style: string;
}

/** Where a served address lies, and the digest of its bytes. `files.json` holds them all: nothing else is served. */
export interface ServedFile {
  readonly file: string;
  readonly digest: string;
  /** Whether its compressed forms lie beside it. */
  readonly compressed: boolean;
}

/** The build compresses these in all pages (tools/pages/build-pages.ts). */
const COMPRESSED_BY_BUILD = /\.(js|css|svg)$/;

/** Medium: the densest form of all pages would take longer than the rest of the build. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } };

/**
 * Writes the documentation site, `docs` and the pages around it: a document for each page, the index of the search, the feed of the changelog, and
 * `files.json` with the addresses.
 *
 * @returns the number of pages
 * @throws Error that names every link that leads nowhere
 */
export const writeSite = async ({ root, out, script, style }: SiteOptions): Promise<number> => {
  const all = chapters(root);
  const sources = all.flatMap((chapter) => chapter.pages);
  const links = new Links(root, new Set(sources));
  const pages = new Map<string, RenderedPage>();
  for (const page of sources) {
    const markdown = await readFile(join(root, page), 'utf8');
    pages.set(
      page,
      renderPage(page, markdown, (target) => links.resolve(page, target)),
    );
  }
  const dead = links.dead(new Map([...pages].map(([page, { sections }]) => [page, new Set(sections.map(({ anchor }) => anchor))])));
  if (dead.length > 0) throw new Error(`links of the documentation lead nowhere:\n${dead.join('\n')}`);

  const site: Site = { chapters: all, pages, script, style };
  const changelog = await readFile(join(root, 'CHANGELOG.md'), 'utf8');
  const texts = new Map<string, string>([
    ...sources.map((page): [string, string] => [addressOf(page), documentOf(site, page)]),
    ['404', missingDocument(site)],
    ['search.json', searchIndex(all, pages)],
    [
      FEED,
      changelogFeed(changelog, (markdown) => renderPage('CHANGELOG.md', `# Changes\n\n${markdown}`, (target) => target).html.replace(/^<h1.*\n/, '')),
    ],
  ]);
  const served: Record<string, ServedFile> = {};
  const note = (address: string, file: string, bytes: string | Buffer, compressed: boolean): void => {
    served[address] = { file, digest: createHash('sha256').update(bytes).digest('base64url').slice(0, 22), compressed };
  };
  await Promise.all([
    ...[...texts].map(async ([address, text]) => {
      const file = /\.\w+$/.test(address) && address !== '' ? address : fileOf(address);
      note(address, file, text, true);
      await writeCompressed(join(out, file), text);
    }),
    ...[...links.files].map(async (source) => {
      const file = source.slice('docs/'.length);
      note(file, file, await readFile(join(root, source)), COMPRESSED_BY_BUILD.test(file));
      await mkdir(dirname(join(out, file)), { recursive: true });
      await cp(join(root, source), join(out, file));
    }),
    ...[...(await readdir(join(out, 'assets'))).map((name) => `assets/${name}`), 'mark.svg'].map(async (file) =>
      note(file, file, await readFile(join(out, file)), true),
    ),
  ]);
  await writeFile(join(out, 'files.json'), JSON.stringify(served));
  return sources.length;
};

const writeCompressed = async (path: string, text: string): Promise<void> => {
  await mkdir(dirname(path), { recursive: true });
  const [br, gz] = await Promise.all([promisify(brotliCompress)(text, BROTLI), promisify(gzip)(text)]);
  await Promise.all([writeFile(path, text), writeFile(`${path}.br`, br), writeFile(`${path}.gz`, gz)]);
};
