import { isEntry } from './layout.ts';
import type { SourceTree } from './source-tree.ts';

/** The files that production runs: those that a `main.ts` or the entry of a page reaches by imports, on demand and for types included. */
export const productionOf = (tree: SourceTree): readonly string[] => {
  const reached = new Set(tree.paths.filter(isEntry));
  for (const path of reached) for (const used of tree.uses(path)) reached.add(used);
  return [...reached].filter((path) => tree.paths.includes(path)).toSorted();
};
