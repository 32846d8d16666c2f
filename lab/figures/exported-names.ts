import type { SourceTree } from './source-tree.ts';

interface ExportedNames {
  /** `<library> <name>`, of all libraries. */
  readonly exported: readonly string[];
  /** Those that no file imports through the library. */
  readonly unused: readonly string[];
}

/** The names that the libraries export by their `src/index.ts`. */
export const exportedNames = (tree: SourceTree): ExportedNames => {
  const indexes = new Map(tree.libraries.map((library) => [`${library}/src/index.ts`, library.replace(/^libs\//, '')]));
  const exported = [...indexes].flatMap(([path, library]) =>
    [...tree.text(path).matchAll(/export (?:type )?\{([^}]*)\}/g)].flatMap(([, list = '']) =>
      namesIn(list).map((name) => `${library} ${name.replace(/^.* as /, '')}`),
    ),
  );
  const imported = new Set(
    tree.paths.flatMap((path) =>
      [...tree.text(path).matchAll(/(?:import|export) (?:type )?\{([^}]*)\} from '(#[^']+)'/g)].flatMap(([, list = '', alias = '']) => {
        const library = indexes.get(tree.resolve(path, alias) ?? '');
        return library === undefined ? [] : namesIn(list).map((name) => `${library} ${name.replace(/ as .*$/, '')}`);
      }),
    ),
  );
  return { exported, unused: exported.filter((name) => !imported.has(name)) };
};

/** The names between the braces, without `type` and comments. */
const namesIn = (list: string): readonly string[] =>
  list
    .replaceAll(/\/\*.*?\*\/|\/\/.*$/gms, '')
    .split(',')
    .map((name) => name.trim().replace(/^type /, ''))
    .filter(Boolean);
