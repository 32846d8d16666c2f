/**
 * Counts the repository at a commit, of either layout (`layout.ts`), for the table "Before and after" of docs/architecture.md: `npm run figures -- aef2f1c`.
 * Default: HEAD. Import circles are not counted here: `npm run lint:dependencies` fails on the first one.
 *
 * - *Rooms, floors, arrows*: `drawing.ts` says how folders are drawn by their imports.
 * - *Production*: the files that a `main.ts` or the entry of a page reaches (`production.ts`).
 * - *Copies*: passages of equal lines (`copies.ts`), and the places of some rules (`rules.ts`), both in production.
 */
import { passagesOf, LEAST_LINES } from './copies.ts';
import { draw } from './drawing.ts';
import { exportedNames } from './exported-names.ts';
import { pathsAt, textsAt } from './files-at-commit.ts';
import { drawingsOf, isBusiness, isTest, isUseCase } from './layout.ts';
import { productionOf } from './production.ts';
import { placesOfRules } from './rules.ts';
import { SourceTree } from './source-tree.ts';

const commit = process.argv[2] ?? 'HEAD';

const paths = pathsAt(commit);
const tree = new SourceTree(
  textsAt(
    commit,
    paths.filter((path) => /\.(ts|mjs|mts)$|^(package|tsconfig)\.json$/.test(path)),
  ),
);

const show = (name: string, text: string | number): void => console.log(`${name.padEnd(26)}${text}`);
const detail = (text: string): void => console.log(`  ${text}`);
const sizeOf = (chosen: readonly string[]): string => `${chosen.length} files, ${chosen.reduce((sum, path) => sum + tree.lines(path), 0)} lines`;

show('entries of the top level', new Set(paths.map((path) => path.split('/')[0])).size);
show('sources', sizeOf(tree.paths.filter((path) => !isTest(path))));
show('tests and their support', sizeOf(tree.paths.filter(isTest)));
show('of these support in libs', sizeOf(tree.paths.filter((path) => isTest(path) && /^libs\/.*(?<!\.spec\.ts)$/.test(path))));
const { exported, unused } = exportedNames(tree);
show('exported by libraries', exported.length);
show('imported by no file', `${unused.length}: ${unused.join(', ')}`);

const production = productionOf(tree);
show('production', sizeOf(production));
show('of this the business', sizeOf(production.filter(isBusiness)));
show('of this use cases', sizeOf(production.filter(isUseCase)));

for (const [name, roomOf] of Object.entries(drawingsOf(tree.libraries))) {
  const { floors, arrows, upwards } = draw(tree, roomOf);
  show('drawing', `${name}: ${floors.flat().length} rooms, ${floors.length} floors, ${arrows.length} arrows, ${upwards.length} of them upwards`);
  for (const [floor, rooms] of [...floors.entries()].toReversed()) detail(`${floor + 1}: ${rooms.join(', ')}`);
  for (const { from, to, imports } of upwards) detail(`upwards: ${from} to ${to}, imports: ${imports}`);
}

const passages = passagesOf(tree, production);
show('copies', `${passages.length} passages of ${LEAST_LINES} equal lines or more`);
for (const { lines, places } of passages) detail(`${lines} lines: ${places.join(', ')}`);
for (const [rule, places] of Object.entries(placesOfRules(tree, production))) {
  show('places', `${places.length}: ${rule}`);
  for (const place of places) detail(place);
}
