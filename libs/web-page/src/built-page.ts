import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * The folder that `npm run build:pages` fills for a page: `dist/pages/<name>` of this package, found from the
 * sources as well as from the compiled files.
 */
export const builtPage = (name: 'guide' | 'login' | 'phone' | 'portal' | 'reference'): string => join(packageRoot(), 'dist', 'pages', name);

/** The folder of this package's `package.json`. */
export const packageRoot = (): string => {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'package.json'))) {
    if (dirname(folder) === folder) throw new Error('no package.json above the built pages');
    folder = dirname(folder);
  }
  return folder;
};
