import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The folders of the packages that `npm run pack` makes. Throws when the script names none. */
export const publishedFolders = (root: string): readonly string[] => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { readonly scripts: Readonly<Record<string, string>> };
  const folders = [...(scripts['pack'] ?? '').matchAll(/ \.\/(\S+)/g)].map(([, folder = '']) => folder);
  if (folders.length === 0) throw new Error('the script `pack` of package.json names no folder');
  return folders;
};
