const PAGES = /^(apps\/(login-bff\/page|device-api\/phone|standalone\/reference)|examples\/relying-party\/page|libs\/web-page\/browser)\//;

/**
 * The work of `npm run start:dev` after a change of the file: `source` transpiles it, `page` bundles all pages.
 *
 * @param path from the root of the repository
 * @returns undefined for a file that the running service does not contain: a test, a generated file, or no TypeScript
 */
export const partOf = (path: string): 'source' | 'page' | undefined => {
  if (/\.(spec|contract)\.ts$|\/(test|testing)\//.test(path)) return undefined;
  if (PAGES.test(path)) return 'page';
  return /\/src\/.*\.ts$/.test(path) ? 'source' : undefined;
};
