import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';

import { writeSection } from '../chapters.js';
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
    /** One of the tables: `open-sessions`, `webhook-endpoints` or `stored-events`. Default: all. */
    only: { type: 'string' },
    /** Minutes for each table: a size is left out if it would end later, estimated at ten times the time of the size before. */
    minutes: { type: 'string', default: 'Infinity' },
    /** Writes the tables to docs/benchmarks.md. The other tables there stay. */
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
  { ...CATCHING_UP, complexity: 'constant: consumers and read models go on where they stopped' },
  ...PATHS,
  { name: 'relay, event', unit: 'µs of processor time', complexity: TREE },
  request('deletion'),
  { ...MEMORY, complexity: 'constant: caches have a limit' },
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

const minutes = Number(options.minutes);
if (!(minutes > 0)) throw new TypeError('--minutes has to be a number above 0');

const measured = async (what: string, sizes: readonly number[], measure: (size: number) => Promise<Costs>): Promise<Costs[]> => {
  const costs: Costs[] = [];
  const end = performance.now() + minutes * 60_000;
  for (const size of sizes) {
    const began = performance.now();
    costs.push(await measure(size));
    const took = performance.now() - began;
    console.error(`${size} ${what}: ${Math.round(took / 1000)} s`, costs.at(-1));
    if (performance.now() + 10 * took > end) break;
  }
  return costs;
};

interface Table {
  readonly title: string;
  readonly from: number;
  readonly to: string;
  readonly plans: readonly PathPlan[];
  readonly measure: (size: number) => Promise<Costs>;
}

const TABLES: readonly Table[] = [
  { title: 'Open sessions', from: 1_000, to: options.open, plans: OPEN, measure: besideOpenSessions },
  { title: 'Webhook endpoints', from: 10, to: options.endpoints, plans: ENDPOINTS, measure: besideEndpoints },
  { title: 'Stored events', from: 10_000, to: options.events, plans: EVENTS, measure: overStoredEvents },
];
const nameOf = ({ title }: Table): string => title.toLowerCase().replace(' ', '-');
const wanted = TABLES.filter((one) => options.only === undefined || options.only === nameOf(one));
if (wanted.length === 0) throw new TypeError(`--only has to be one of ${TABLES.map(nameOf).join(', ')}`);

const INTRODUCTION = [
  'Made by `npm run bench -- scale --write`: one standalone process over a SQLite file that a generator has filled. The requests come one after the other. A figure is the processor time',
  'that the server needs for one of them. Other programs on the machine change it by up to a half; they change `start until ready`, which is time on the clock, even more. The last but one column divides the',
  'figure at the largest size by the figure at the smallest: at 1 the cost does not grow. The last column tells what growth the design promises; nothing computes it from the figures.',
  '',
  '`--only NAME` makes one of the tables (`open-sessions`, `webhook-endpoints`, `stored-events`). `--minutes N` leaves out the sizes that would take a table longer than that.',
].join('\n');

const made = async ({ title, from, to, plans, measure }: Table): Promise<string> => {
  const [loadBefore = 0] = loadavg();
  const sizes = powers(from, Number(to));
  const costs = await measured(title.toLowerCase(), sizes, measure);
  return [
    growthTable('', sizes.slice(0, costs.length), plans, costs),
    '',
    `${machine()}. ${versions()}. ${new Date().toISOString().slice(0, 10)}. Load average before the run ${loadBefore.toFixed(1)}, after it ${(loadavg()[0] ?? 0).toFixed(1)}.`,
  ].join('\n');
};

for (const one of wanted) {
  if (Number(one.to) < one.from) continue;
  const text = await made(one);
  process.stdout.write(`### ${one.title}\n\n${text}\n\n`);
  // After each table: the largest sizes take an hour.
  if (options.write) await writeSection('Growth', INTRODUCTION, one.title, text);
}
