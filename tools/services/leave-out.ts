import { readFile } from 'node:fs/promises';

import type { Plugin } from 'esbuild';

/** `export { a, b as c };`, as the compiler writes it, and `export const a`, `export class A`, `export function a`. */
const EXPORTS = /^export (?:(?:async )?(?:const|let|class|function\*?) (?<name>[\w$]+)|\{(?<list>[^}]*)\})/gm;

/** The names that a compiled module exports. */
export const exportedNames = (source: string): readonly string[] =>
  [...source.matchAll(EXPORTS)].flatMap(({ groups }) =>
    groups?.['name'] === undefined
      ? (groups?.['list'] ?? '').split(',').flatMap(
          (entry) =>
            entry
              .trim()
              .split(/\s+as\s+/)
              .at(-1) || [],
        )
      : [groups['name']],
  );

/** Puts an empty module in place of each named package. What it exports is undefined, so this is for packages whose exports the program never uses. */
export const leaveOutPackages = (filter: RegExp): Plugin => ({
  name: 'leave out packages',
  setup({ onResolve, onLoad }) {
    onResolve({ filter }, ({ path }) => ({ path, namespace: 'left out' }));
    onLoad({ filter: /^/, namespace: 'left out' }, () => ({ contents: 'module.exports = {};', loader: 'js' }));
  },
});

/**
 * Takes a module of Node as `require` does. An import of all its exports runs each of their getters, and that of `WebSocket` in `node:http` loads another client of HTTP, which takes 60 ms and 3 MB.
 */
export const requireBuiltins = (filter: RegExp): Plugin => ({
  name: 'require built-in modules',
  setup({ onResolve, onLoad }) {
    onResolve({ filter }, ({ path, kind }) => (kind === 'import-statement' ? { path, namespace: 'built in' } : undefined));
    onLoad({ filter: /^/, namespace: 'built in' }, ({ path }) => ({ contents: `module.exports = process.getBuiltinModule('${path}');`, loader: 'js' }));
  },
});

/**
 * Puts an empty module in place of each compiled one whose path matches, with all that it imports. Its exports can be imported, and to call one throws an error: for adapters of engines that the
 * program's settings never name.
 */
export const leaveOut = (filter: RegExp, except: RegExp): Plugin => ({
  name: 'leave out',
  setup({ onLoad }) {
    onLoad({ filter }, async ({ path }) => {
      if (except.test(path)) return undefined;
      const names = exportedNames(await readFile(path, 'utf8'));
      const absent = names.map((name) => `export function ${name}() { throw new Error('${name} is not part of this package'); }`);
      return { contents: absent.join('\n'), loader: 'js' };
    });
  },
});
