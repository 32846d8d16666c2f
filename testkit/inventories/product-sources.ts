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

interface LockedPackage {
  readonly dev?: boolean;
  readonly optional?: boolean;
  /** Of a package with machine code. */
  readonly cpu?: readonly string[];
  readonly hasInstallScript?: boolean;
  readonly integrity?: string;
}

const KINDS = {
  all: () => true,
  /** May be left out, and holds machine code or builds it. */
  native: ({ optional, cpu, hasInstallScript }: LockedPackage) => optional === true && (cpu !== undefined || hasInstallScript === true),
  'without a hash': ({ integrity }: LockedPackage) => integrity === undefined,
} as const;

/** The inventory of packages: the names of all that an installation for production holds, those that a package brings included; or those of a kind. */
export const productPackages = (kind: keyof typeof KINDS = 'all'): readonly string[] => {
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
    readonly packages: Readonly<Record<string, LockedPackage>>;
  };
  const installed = Object.entries(packages).filter(([path, entry]) => path.startsWith('node_modules/') && entry.dev !== true && KINDS[kind](entry));
  return [...new Set(installed.map(([path]) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)))].toSorted();
};
