import { existsSync } from 'node:fs';
import { join, posix } from 'node:path';

import { addressOf, relativeTo, SOURCES } from './addresses.ts';

/** Turns the links of the repository's pages into those of the site, and notes what leads nowhere. */
export class Links {
  /** Files of docs that pages link to or show, from the root of the repository. */
  readonly files = new Set<string>();
  readonly #root: string;
  readonly #pages: ReadonlySet<string>;
  readonly #wanted: { readonly page: string; readonly target: string; readonly of: string; readonly anchor: string }[] = [];
  readonly #dead: string[] = [];

  /** @param pages the pages of the site, from the root of the repository */
  constructor(root: string, pages: ReadonlySet<string>) {
    this.#root = root;
    this.#pages = pages;
  }

  /** The reference on the site for a target that the page names. */
  resolve(page: string, target: string): string {
    if (/^[a-z]+:/.test(target)) return target;
    const [path = '', anchor] = decodeURI(target).split('#');
    const named = path === '' ? page : posix.normalize(posix.join(posix.dirname(page), path)).replace(/\/$/, '');
    const found = this.#pages.has(`${named}/README.md`) ? `${named}/README.md` : named;
    if (this.#pages.has(found)) return this.#toPage(page, found, anchor, target);
    if (named.startsWith('docs/')) return this.#toFile(page, named, target);
    // Whether the repository has that file is checked with all other citations (apps/standalone/test/citations.spec.ts): an image is built without the tests.
    return `${SOURCES}/${named}${anchor === undefined ? '' : `#${anchor}`}`;
  }

  #toPage(page: string, of: string, anchor: string | undefined, target: string): string {
    if (anchor !== undefined) this.#wanted.push({ page, target, of, anchor });
    const hash = anchor === undefined ? '' : `#${anchor}`;
    return of === page && hash !== '' ? hash : `${relativeTo(addressOf(page), addressOf(of))}${hash}`;
  }

  #toFile(page: string, file: string, target: string): string {
    if (!existsSync(join(this.#root, file))) this.#dead.push(`${page}: ${target}`);
    else this.files.add(file);
    return relativeTo(addressOf(page), file.slice('docs/'.length));
  }

  /** The links that lead nowhere, a line each. @param anchors the headings of each page */
  dead(anchors: ReadonlyMap<string, ReadonlySet<string>>): readonly string[] {
    const lost = this.#wanted.filter(({ of, anchor }) => anchors.get(of)?.has(anchor) !== true);
    return [...this.#dead, ...lost.map(({ page, target }) => `${page}: ${target}`)];
  }
}
