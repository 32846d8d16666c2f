import { mkdtemp, rm } from 'node:fs/promises';
import { cpus, loadavg, tmpdir } from 'node:os';
import { parseArgs } from 'node:util';

import { pin } from '../affinity.js';
import { writeChapter } from '../chapters.js';
import { machine, table, versions } from '../report.js';
import { type Figures, Side } from './side.js';
import { thisCheckout, treeOf } from './tree.js';

/**
 * `npm run bench -- between <commit> [<commit>]`: the hot paths of two commits in turn, in one run. Without a second commit, this checkout as it is. A commit is
 * built once, by its own `npm run bench`, and may have another layout. Its service is measured over HTTP; a container is made by its own benchmarks, and not
 * measured when one of the two commits has none. Needs two cores and Linux.
 */
const { values: options, positionals } = parseArgs({
  args: process.argv.slice(3),
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '3' },
    /** Of logins, in each round. */
    seconds: { type: 'string', default: '4' },
    'warm-up': { type: 'string', default: '12' },
    /** Builds the commits and ends. */
    prepare: { type: 'boolean', default: false },
    /** Writes the chapter to docs/benchmarks.md. */
    write: { type: 'boolean', default: false },
  },
});
const [before, after] = positionals;
if (before === undefined) throw new Error('which commit? npm run bench -- between <commit> [<commit>]');
if (cpus().length < 2) throw new Error('the server and the load need a core each');
const rounds = Number(options.rounds);
const durations = { login: Number(options.seconds), request: Number(options.seconds) / 2, warmUp: Number(options['warm-up']) };

const trees = [treeOf(before), after === undefined ? thisCheckout() : treeOf(after)] as const;
if (options.prepare) process.exit();

/** By path, the figures of both sides in each round. */
const found = new Map<string, (readonly [Figures, Figures])[]>();
const [loadBefore = 0] = loadavg();
const directory = await mkdtemp(`${tmpdir()}/countersign-bench-`);
const sides: Side[] = [];
try {
  for (const tree of trees) sides.push(await Side.start(tree, `${directory}/${sides.length}`, durations));
  pin(process.pid, '1');
  const [a, b] = sides as [Side, Side];
  for (const { paths } of sides) for (const path of paths) await path.warmUp();
  for (let round = 0; round < rounds; round += 1)
    for (const path of a.paths) {
      const other = b.paths.find(({ name }) => name === path.name);
      if (!other) continue;
      const pair = [await path.measure(), await other.measure()] as const;
      found.set(path.name, [...(found.get(path.name) ?? []), pair]);
      console.error(`${path.name}: ${pair.map(({ cost }) => cost.toFixed(3)).join(' and ')} ms of processor time`);
    }
} finally {
  await Promise.all(sides.map((side) => side.stop()));
  await rm(directory, { recursive: true, force: true });
}

const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((one, other) => one - other);
  return ((sorted[(sorted.length - 1) >> 1] ?? NaN) + (sorted[sorted.length >> 1] ?? NaN)) / 2;
};

const rows = [...found].map(([name, pairs]) => {
  const of = (side: 0 | 1, figure: (figures: Figures) => number): number => median(pairs.map((pair) => figure(pair[side])));
  const cost = ([0, 1] as const).map((side) => of(side, (figures) => figures.cost)) as [number, number];
  const p99 = ([0, 1] as const).map((side) => of(side, (figures) => figures.p99 ?? NaN));
  const ratios = pairs.map(([{ cost: one }, { cost: other }]) => other / one);
  return [
    name,
    ...cost.map((value) => value.toFixed(3)),
    `${median(ratios).toFixed(2)} (${Math.min(...ratios).toFixed(2)}–${Math.max(...ratios).toFixed(2)})`,
    ...cost.map((value) => Math.round(1_000 / value).toLocaleString('en')),
    ...p99.map((value) => (Number.isNaN(value) ? '–' : value.toFixed(1))),
  ];
});
const [{ name: was }, { name: is }] = trees;
const text = `Made by \`npm run bench -- between ${positionals.join(' ')} --write\`: both commits built from this repository, each with its own process and store on core 0 and the load on core 1, measured in turn ${rounds} times, with 64 requests or logins at a time. Medians; in brackets the least and the greatest ratio of a pair. Commit \`${was}\` is before, \`${is}\` after.

${table(['', 'ms of processor time before', 'after', 'after / before', 'per core-second before', 'after', 'p99 ms before', 'after'], rows)}

${machine()}. ${versions()}. ${new Date().toISOString().slice(0, 10)}. Load average before the run ${loadBefore.toFixed(1)}.`;
if (options.write) await writeChapter('Before and after', text);
process.stdout.write(`${text}\n`);
