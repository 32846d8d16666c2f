import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';

import { writeChapter } from '../chapters.js';
import { machine, versions } from '../report.js';
import { besideEndpoints } from './endpoints.js';
import { type Costs, growthTable, type PathPlan } from './growth.js';
import { besideOpenSessions } from './open-sessions.js';
import { overStoredEvents } from './stored-events.js';

const { values: options } = parseArgs({
  args: process.argv.slice(3),
  options: {
    /** The largest sizes; the others are powers of ten below. */
    events: { type: 'string', default: '10000000' },
    open: { type: 'string', default: '1000000' },
    endpoints: { type: 'string', default: '10000' },
    /** Writes the chapter to docs/benchmarks.md. */
    write: { type: 'boolean', default: false },
  },
});

const CONSTANT = 'constant';
const TREE = 'logarithmic (B-tree)';
const MS = 'ms of processor time';
const request = (name: string, complexity = TREE): PathPlan => ({ name, unit: MS, complexity });
const START: readonly PathPlan[] = [
  { name: 'start until ready', unit: 'ms', complexity: CONSTANT },
  { name: 'start until ready, processor', unit: 'ms', complexity: CONSTANT },
];
const PATHS: readonly PathPlan[] = [
  ...['create', 'poll', 'scan', 'confirm', 'completion', 'token'].map((name) => request(name)),
  request('list page'),
];
const MEMORY = { name: 'memory', unit: 'MiB' };
const CATCHING_UP = { name: 'catching up after the start', unit: MS };

const EVENTS: readonly PathPlan[] = [
  ...START,
  { ...CATCHING_UP, complexity: 'linear, once: consumers that never ran read everything' },
  ...PATHS,
  { name: 'relay, event', unit: 'µs of processor time', complexity: TREE },
  request('deletion'),
  { ...MEMORY, complexity: 'right after that reading: at most linear' },
  { name: 'bytes of a login', unit: 'on disk', complexity: CONSTANT },
];
const OPEN: readonly PathPlan[] = [
  ...START,
  { ...CATCHING_UP, complexity: 'linear, once: consumers that never ran read everything' },
  ...PATHS,
  { ...MEMORY, complexity: 'at most linear' },
];
const ENDPOINTS: readonly PathPlan[] = [
  ...START,
  { ...CATCHING_UP, complexity: 'constant: read models go on at their checkpoints' },
  ...PATHS,
  { ...MEMORY, complexity: 'at most linear' },
];

const powers = (from: number, to: number): number[] => {
  const sizes: number[] = [];
  for (let size = from; size <= to; size *= 10) sizes.push(size);
  return sizes;
};

const measured = async (what: string, sizes: readonly number[], measure: (size: number) => Promise<Costs>): Promise<Costs[]> => {
  const costs: Costs[] = [];
  for (const size of sizes) {
    const began = performance.now();
    costs.push(await measure(size));
    console.error(`${size} ${what}: ${Math.round((performance.now() - began) / 1000)} s`, costs.at(-1));
  }
  return costs;
};

const chapter = async (
  what: string,
  from: number,
  to: string,
  plans: readonly PathPlan[],
  measure: (size: number) => Promise<Costs>,
): Promise<string> => {
  const sizes = powers(from, Number(to));
  return sizes.length === 0 ? '' : `### ${what}\n\n${growthTable('', sizes, plans, await measured(what.toLowerCase(), sizes, measure))}\n`;
};

const [loadBefore = 0] = loadavg();
const pageOf = (chapters: readonly string[]): string =>
  [
    'Made by `npm run bench -- scale --write`: one standalone process over a SQLite file that a generator has filled. The requests come one after the other, and what counts is the',
    'processor time of the server for each, which other load on the machine changes less than time, yet by up to a half; `start until ready` is time on the clock, so it does. The column before the last says how many times the largest size costs what the smallest does: 1 is a cost that does not grow. The last column says how the cost should grow by the design; it is no fit of the figures.',
    '',
    ...chapters.filter((part) => part !== ''),
    `${machine()}. ${versions()}. ${new Date().toISOString().slice(0, 10)}. Load average before the run ${loadBefore.toFixed(1)}, after it ${(loadavg()[0] ?? 0).toFixed(1)}.`,
  ].join('\n');

// The page is written after each chapter: the largest sizes take an hour.
const chapters: string[] = [];
for (const [what, from, to, plans, measure] of [
  ['Open sessions', 1_000, options.open, OPEN, besideOpenSessions],
  ['Webhook endpoints', 10, options.endpoints, ENDPOINTS, besideEndpoints],
  ['Stored events', 10_000, options.events, EVENTS, overStoredEvents],
] as const) {
  chapters.push(await chapter(what, from, to, plans, measure));
  if (options.write) await writeChapter('Growth', pageOf(chapters));
}
process.stdout.write(`${pageOf(chapters)}\n`);
