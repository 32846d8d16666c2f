import { dirname, normalize } from 'node:path/posix';

import ts from 'typescript';

import { isTest, librariesOf } from './layout.ts';

/** A relative path in quotes, such as that of a file that is loaded on demand: `new URL('../store/doctor.js', import.meta.url)`. */
const FILE_IN_QUOTES = /['"](\.{1,2}\/[\w./-]+\.[cm]?[jt]s)['"]/g;

/** Such a path whose file is named at run time: `new URL(`../store/${name}.js`, import.meta.url)`. */
const FOLDER_IN_QUOTES = /`(\.{1,2}\/(?:[\w.-]+\/)*)\$\{\w+\}\.[cm]?js`/g;

/** What `imports` of package.json and `paths` of tsconfig.json give for a name. */
type Targets = string | readonly string[] | { readonly [condition: string]: string };

/** The code of a repository, TypeScript and JavaScript modules, and which file imports which. */
export class SourceTree {
  readonly paths: readonly string[];
  /** The folders of the libraries. */
  readonly libraries: readonly string[];
  readonly #files: ReadonlyMap<string, string>;
  readonly #aliases: readonly (readonly [name: string, target: string])[];
  readonly #imports = new Map<string, readonly string[]>();

  /** `files`: the text of each file by its path from the root; beside the code, package.json and tsconfig.json. */
  constructor(files: ReadonlyMap<string, string>) {
    this.#files = files;
    this.paths = [...files.keys()].filter((path) => /\.(ts|mjs|mts)$/.test(path));
    this.libraries = librariesOf(this.paths);
    this.#aliases = aliasesOf(files);
  }

  text(path: string): string {
    return this.#files.get(path) ?? '';
  }

  lines(path: string): number {
    return this.text(path).split('\n').length - 1;
  }

  /** The files of the tree that the file imports, those whose types alone it imports included. */
  imports(path: string): readonly string[] {
    const known = this.#imports.get(path);
    if (known) return known;
    const { importedFiles } = ts.preProcessFile(this.text(path), true, true);
    const found = this.#resolved(
      path,
      importedFiles.map(({ fileName }) => fileName),
    );
    this.#imports.set(path, found);
    return found;
  }

  /**
   * {@link imports}, and the files that the file names by a relative path: it loads them on demand, or starts them. A path that is put together at run time
   * stands for all files of its folder, without tests.
   */
  uses(path: string): readonly string[] {
    const text = this.text(path);
    const named = [...text.matchAll(FILE_IN_QUOTES)].map(([, name = '']) => name);
    const folders = [...text.matchAll(FOLDER_IN_QUOTES)].map(([, folder = '']) => normalize(`${dirname(path)}/${folder}`));
    const inFolders = this.paths.filter((file) => folders.includes(`${dirname(file)}/`) && !isTest(file));
    return [...new Set([...this.imports(path), ...this.#resolved(path, named), ...inFolders])];
  }

  /** The file that the name stands for in an import of another file; undefined for one of a package. */
  resolve(from: string, name: string): string | undefined {
    const path = name.startsWith('.') ? normalize(`${dirname(from)}/${name}`) : this.#byAlias(name);
    if (path === undefined) return undefined;
    return [path, path.replace(/js$/, 'ts'), `${path}.ts`].find((candidate) => this.#files.has(candidate));
  }

  #resolved(from: string, names: readonly string[]): readonly string[] {
    return [...new Set(names.flatMap((name) => this.resolve(from, name) ?? []))];
  }

  #byAlias(name: string): string | undefined {
    for (const [alias, target] of this.#aliases) {
      const [before = '', after] = alias.split('*');
      if (after === undefined ? name === alias : name.startsWith(before) && name.endsWith(after))
        return normalize(target.replaceAll('*', name.slice(before.length, name.length - (after ?? '').length)));
    }
    return undefined;
  }
}

/** Whole names before patterns, and long patterns before short ones, as Node chooses. */
const aliasesOf = (files: ReadonlyMap<string, string>): readonly (readonly [string, string])[] => {
  const { imports = {} } = JSON.parse(files.get('package.json') ?? '{}') as { imports?: Record<string, Targets> };
  const config = ts.parseConfigFileTextToJson('tsconfig.json', files.get('tsconfig.json') ?? '{}').config as {
    compilerOptions?: { paths?: Record<string, Targets> };
  };
  const weight = ([name]: readonly [string, unknown]): number => (name.includes('*') ? name.indexOf('*') : Infinity);
  return [...Object.entries(imports), ...Object.entries(config.compilerOptions?.paths ?? {})]
    .toSorted((one, other) => (weight(one) < weight(other) ? 1 : -1))
    .flatMap(([name, targets]): (readonly [string, string])[] => {
      const target = sourceOf(targets);
      return target === undefined ? [] : [[name, target]];
    });
};

const sourceOf = (targets: Targets): string | undefined => {
  if (typeof targets === 'string') return targets;
  return Array.isArray(targets) ? (targets as readonly string[])[0] : (targets as { readonly source?: string }).source;
};
