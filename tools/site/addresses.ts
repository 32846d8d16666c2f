import { posix } from 'node:path';

/** Pages of the repository outside docs, by their addresses on the site. */
const OUTSIDE: Readonly<Record<string, string>> = { 'README.md': 'start', 'CONTRIBUTING.md': 'contributing', 'CHANGELOG.md': 'changelog' };

/** Where the files of the repository can be read. The runbooks of the alerts have the same address. */
export const SOURCES = 'https://github.com/countersign/countersign/blob/main';

/** The address of a page below that of the site: `docs/webhooks.md` is `webhooks`, `docs/adr/README.md` is `adr/`. */
export const addressOf = (page: string): string =>
  OUTSIDE[page] ??
  page
    .replace(/^docs\//, '')
    .replace(/(^|\/)README\.md$/, '$1')
    .replace(/\.md$/, '');

/** The file of an address: `webhooks.html`, `adr/index.html`. */
export const fileOf = (address: string): string => (address === '' || address.endsWith('/') ? `${address}index.html` : `${address}.html`);

/** A relative reference from one address to another, which holds wherever the site is mounted. */
export const relativeTo = (from: string, to: string): string => {
  const folder = from.slice(0, from.lastIndexOf('/') + 1);
  if (to === folder) return './';
  const path = posix.relative(`/${folder}`, `/${to}`);
  // The page `relying-party`, seen from `relying-party/register`.
  if (path === '') return `../${posix.basename(to)}`;
  return to === '' || to.endsWith('/') ? `${path}/` : path;
};
