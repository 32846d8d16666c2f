import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

export interface PageAssets {
  /** The folder of the built files. */
  readonly directory: string;
  /** Paths below that folder, with the digest of the content in the name. */
  readonly script: string;
  readonly style: string;
}

/** The files that `npm run build:pages` makes of `page/`, found from the sources and from the compiled files. */
export const builtAssets = (): PageAssets => {
  const directory = join(packageRoot(import.meta.dirname), 'dist', 'pages', 'demo');
  try {
    const names = JSON.parse(readFileSync(join(directory, 'assets.json'), 'utf8')) as { script: string; style: string };
    return { directory, ...names };
  } catch (cause) {
    throw new Error(`no built page in ${directory}: run "npm run build:pages"`, { cause });
  }
};

const packageRoot = (folder: string): string => {
  if (existsSync(join(folder, 'package.json'))) return folder;
  if (dirname(folder) === folder) throw new Error('no package.json above the demo');
  return packageRoot(dirname(folder));
};
