import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';

export const REPOSITORY = resolve(import.meta.dirname, '../../..');

/** The tarball of a package, as `npm run pack` makes it. */
export const tarball = (name: string): string => {
  const path = join(REPOSITORY, `dist/packages/countersign-${name}-0.1.0.tgz`);
  if (!existsSync(path)) throw new Error(`${path} does not exist: run \`npm run pack\` first`);
  return path;
};
