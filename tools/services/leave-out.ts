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
