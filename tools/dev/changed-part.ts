const PAGES =
  /^(apps\/(?:login-bff\/page|console\/page|device-api\/phone|standalone\/(?:reference|guide))|examples\/relying-party\/page|libs\/web-page\/(?:browser|first-frame))\//;

/**
 * The work of `npm run start:dev` after a change of the file: `source` transpiles it, `page` bundles the page, or all pages after
 * a change of their common code (see {@link pageFoldersOf}).
 *
 * @param path from the root of the repository
 * @returns undefined for a file that the running service does not contain: a test, a generated file, or no TypeScript
 */
export const partOf = (path: string): 'source' | 'page' | undefined => {
  if (/\.(spec|contract)\.ts$|\/(test|testing)\//.test(path)) return undefined;
  if (PAGES.test(path)) return 'page';
  return /\/src\/.*\.ts$/.test(path) ? 'source' : undefined;
};

/** The folders of the pages that the changed files belong to; none when all pages share one of the files. */
export const pageFoldersOf = (paths: readonly string[]): string[] => {
  const folders = paths.map((path) => PAGES.exec(path)?.[1]).filter((folder) => folder !== undefined);
  return folders.some((folder) => folder.startsWith('libs/')) ? [] : [...new Set(folders)];
};
