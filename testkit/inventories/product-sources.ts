import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');
const TESTS = /\.(spec|contract|check|fixture|d)\.ts$|(^|\/)(test|testing)\//;

export interface ProductSource {
  /** From the root of the repository. */
  readonly path: string;
  readonly text: string;
}

/** The inventory of sources: every file of code of the services, of their pages, of the command line and of the packages, without tests. */
export const productSources = (): readonly ProductSource[] =>
  globSync('{apps,libs}/**/*.{ts,mjs,js}', { cwd: ROOT, exclude: (name) => name === 'node_modules' || name === 'dist' })
    .filter((path) => !TESTS.test(path))
    .toSorted()
    .map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }));

/** The inventory of packages: the names of all that an installation for production holds, those that a package brings included. */
export const productPackages = (): readonly string[] => {
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
    readonly packages: Readonly<Record<string, { readonly dev?: boolean }>>;
  };
  const installed = Object.entries(packages).filter(([path, { dev }]) => path.startsWith('node_modules/') && dev !== true);
  return [...new Set(installed.map(([path]) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)))].toSorted();
};
