import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';

import { writeChapter } from '../chapters.js';
import { machine, table, versions } from '../report.js';
import { type HistoryCosts, measureCosts } from './costs.js';
import { FilledHistory } from './filled-history.js';

/** `npm run bench -- history`: what the checkpoints of the guarded events and the comparisons with them cost. */
const { values: options } = parseArgs({
  args: process.argv.slice(3),
  options: {
    leaves: { type: 'string', default: '10000,100000,1000000' },
    /** Writes the chapter to docs/benchmarks.md. */
    write: { type: 'boolean', default: false },
  },
});

/** Milliseconds of processor time that the history may add to a guarded append, and milliseconds that the comparison at a start may take. */
const APPEND_LIMIT = 1;
const START_LIMIT = 2_000;

const [loadBefore = 0] = loadavg();
const sizes: HistoryCosts[] = [];
for (const leaves of options.leaves.split(',').map(Number)) {
  await using history = await FilledHistory.fill(leaves);
  const costs = await measureCosts(history);
  console.error(costs);
  sizes.push(costs);
}

const addedTo = ({ guardedAppend, append }: HistoryCosts): number => guardedAppend - append;
const row = (name: string, of: (costs: HistoryCosts) => number, digits: number): readonly string[] => [
  name,
  ...sizes.map((costs) => of(costs).toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits })),
];
const late = sizes.filter((costs) => addedTo(costs) > APPEND_LIMIT || costs.startElapsed > START_LIMIT);
const text = `Made by \`npm run bench -- history --write\`: one process over a SQLite file of guarded events, four in each stream, whose checkpoints lie in a folder. Milliseconds of processor time of all threads; each row but the second, third and fourth begins with a process that remembers nothing.
A start compares size, root and the ends of the streams that the signed checkpoint names; it reads the leaves afterwards, beside requests ([ADR 0151](adr/0151-a-start-reads-no-leaves.md)). \`first-comparison.spec.ts\` asserts that what it reads does not grow with the history.
A guarded append has its share of the checkpoint and of the comparison after each 100 of them, which are the appends of four seconds at 25 a second. \`apps/standalone/test/login-cost.e2e.spec.ts\` asserts that a login makes no append, no read and no leaf for the history.

${table(
  ['leaves', ...sizes.map(({ leaves }) => leaves.toLocaleString('en'))],
  [
    row('comparison at a start', ({ start }) => start, 1),
    row('the same, on the clock', ({ startElapsed }) => startElapsed, 1),
    row('the leaves, which are read and proven after it', ({ taking }) => taking, 0),
    row('the same, on the clock', ({ takingElapsed }) => takingElapsed, 0),
    row('comparison of a minute', ({ minute }) => minute, 2),
    row('guarded append without the history', ({ append }) => append, 3),
    row('guarded append with it', ({ guardedAppend }) => guardedAppend, 3),
    row('difference', addedTo, 3),
    row('load of a guarded stream without its check', ({ read }) => read, 3),
    row('load of a guarded stream with it', ({ checkedRead }) => checkedRead, 3),
    row('first checkpoint', ({ firstCheckpoint }) => firstCheckpoint, 0),
    row('pass over all leaves, which is spread over forty minutes', ({ pass }) => pass, 0),
  ],
)}

The limits are ${APPEND_LIMIT} ms for each guarded append and ${START_LIMIT.toLocaleString('en')} ms for a start: ${late.length === 0 ? 'kept' : '**exceeded**'}. ${machine()}. ${versions()}. ${new Date().toISOString().slice(0, 10)}. Load average before the run ${loadBefore.toFixed(1)}, after it ${(loadavg()[0] ?? 0).toFixed(1)}.`;
if (options.write) await writeChapter('What the history costs', text);
process.stdout.write(`${text}\n`);
if (late.length > 0) throw new Error(`above a limit at ${late.map(({ leaves }) => leaves).join(', ')} leaves`);
