/**
 * Counts the repository at a commit, for the table "Before and after" of docs/architecture.md: `npm run figures -- aef2f1c`. Default: HEAD.
 * Import circles are not counted here: `npm run lint:dependencies` fails on the first one.
 */
import { execFileSync } from 'node:child_process';

const commit = process.argv[2] ?? 'HEAD';

const git = (...command: string[]): string => execFileSync('git', command, { encoding: 'utf8', maxBuffer: 2 ** 30 });
const paths = git('ls-tree', '-r', '--name-only', commit).split('\n').filter(Boolean);

/** The content of each file of TypeScript or JavaScript that is counted, by path. */
const code = new Map(paths.filter((path) => /\.(ts|mjs|mts)$/.test(path)).map((path): [string, string] => [path, git('show', `${commit}:${path}`)]));

const isTest = (path: string): boolean => /(^|\/)(test|testing|contract)\/|\.(spec|contract|check)\./.test(path);

const sizeOf = (chosen: readonly string[]): string => {
  const lines = chosen.reduce((sum, path) => sum + (code.get(path) ?? '').split('\n').length - 1, 0);
  return `${chosen.length} files, ${lines} lines`;
};

/** The names between the braces, without `type` and without what they are renamed from. */
const namesIn = (list: string): readonly string[] =>
  list
    .replaceAll(/\/\*.*?\*\/|\/\/.*$/gms, '')
    .split(',')
    .map((name) => name.trim().replace(/^type /, ''))
    .filter(Boolean);

const INDEX = /^libs\/([^/]+)\/src\/index\.ts$/;
const exported = [...code].flatMap(([path, text]) => {
  const library = INDEX.exec(path)?.[1];
  if (library === undefined) return [];
  return [...text.matchAll(/export (?:type )?\{([^}]*)\}/g)].flatMap(([, list = '']) =>
    namesIn(list).map((name) => `${library} ${name.replace(/^.* as /, '')}`),
  );
});

const imported = new Set(
  [...code.values()].flatMap((text) =>
    [...text.matchAll(/(?:import|export) (?:type )?\{([^}]*)\} from '#([a-z-]+)'/g)].flatMap(([, list = '', library = '']) =>
      namesIn(list).map((name) => `${library} ${name.replace(/ as .*$/, '')}`),
    ),
  ),
);
const unused = exported.filter((name) => !imported.has(name));

console.log(`entries of the top level  ${git('ls-tree', '--name-only', commit).trim().split('\n').length}`);
console.log(`sources                   ${sizeOf([...code.keys()].filter((path) => !isTest(path)))}`);
console.log(`tests and their support   ${sizeOf([...code.keys()].filter(isTest))}`);
console.log(`exported by libraries     ${exported.length}`);
console.log(`imported by no file       ${unused.length}: ${unused.join(', ')}`);
