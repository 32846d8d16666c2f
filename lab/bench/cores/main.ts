import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { cpus, loadavg, tmpdir } from 'node:os';
import { parseArgs } from 'node:util';

import { pin } from '../affinity.js';
import { writeChapter } from '../chapters.js';
import { inTurn } from '../in-turn.js';
import { loginLoad } from '../login-load.js';
import type { Measurement } from '../measurement.js';
import { machine, table, versions } from '../report.js';
import { Server } from '../server.js';
import { Staff } from '../staff.js';
import { MAIN_THREAD, type ThreadTimes, threadTimes } from '../threads.js';

/** `npm run bench -- cores`: the standalone process on one core and on two, and which of its threads use them. Needs two cores and Linux. */
const { values: options } = parseArgs({
  args: process.argv.slice(3),
  options: {
    /** How long each arrangement is measured, twice. */
    seconds: { type: 'string', default: '8' },
    concurrency: { type: 'string', default: '64' },
    'warm-up': { type: 'string', default: '20' },
    /** Writes the chapter to docs/benchmarks.md. */
    write: { type: 'boolean', default: false },
  },
});
const [seconds, concurrency] = [Number(options.seconds), Number(options.concurrency)];
if (cpus().length < 2) throw new Error('this measurement needs two cores');
/** The arrangements are measured in turn, so often. */
const ROUNDS = 2;

interface Arrangement {
  readonly name: string;
  /** As `taskset` lists them. */
  readonly server: string;
  readonly load: string;
  /** Of the logins that the first arrangement reached. Default: as many as the answers allow. */
  readonly share?: number;
}

const ARRANGEMENTS: readonly Arrangement[] = [
  { name: 'server on core 0, load on core 1', server: '0', load: '1' },
  { name: 'server on both, load on core 1', server: '0,1', load: '1' },
  { name: 'the same at half of the logins: server on core 0', server: '0', load: '1', share: 0.5 },
  { name: 'the same at half of the logins: server on both', server: '0,1', load: '1', share: 0.5 },
  { name: 'server and load together on core 0', server: '0', load: '0' },
  { name: 'server and load together on both', server: '0,1', load: '0,1' },
];

interface Result {
  readonly arrangement: Arrangement;
  readonly measurement: Measurement;
  readonly threads: ThreadTimes;
}

const [loadBefore = 0] = loadavg();
const directory = await mkdtemp(`${tmpdir()}/countersign-bench-`);
const adminToken = randomBytes(24).toString('base64url');
const server = await Server.start({
  main: 'dist/apps/standalone/src/main.js',
  env: { DATA_DIR: directory, ADMIN_TOKEN: adminToken, DEMO: 'false' },
  ready: '/readyz',
});
const results: Result[] = [];
try {
  const staff = new Staff(server, adminToken);
  const relyingParty = await staff.newRelyingParty();
  const phones = await inTurn(concurrency, () => staff.newPhone());
  const load = loginLoad({ server, relyingParty, phones });
  await load.run({ seconds: Number(options['warm-up']), concurrency });
  const measure = async (arrangement: Arrangement): Promise<void> => {
    const { name, share } = arrangement;
    pin(server.pid, arrangement.server);
    pin(process.pid, arrangement.load);
    const before = threadTimes(server.pid);
    const most = results[0]?.measurement.perSecond ?? NaN;
    const measurement = await load.run({ seconds, concurrency, ...(share !== undefined && { perSecond: most * share }) });
    if (measurement.failures.size > 0) throw new Error(`${name}: ${JSON.stringify([...measurement.failures])}`);
    const threads = new Map([...threadTimes(server.pid)].map(([kind, time]) => [kind, time - (before.get(kind) ?? 0)]));
    results.push({ arrangement, measurement, threads });
    console.error(
      `${name}: ${measurement.perSecond.toFixed(0)}/s; cores: server ${measurement.serverLoad?.toFixed(2)}, load ${measurement.clientLoad.toFixed(2)}`,
    );
  };
  await inTurn(ROUNDS, () => inTurn(ARRANGEMENTS.length, (number) => measure(ARRANGEMENTS[number] as Arrangement)));
} finally {
  await server.stop();
  await rm(directory, { recursive: true, force: true });
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
const mean = (values: readonly number[]): number => sum(values) / values.length;

/** The means of the rounds. */
const figuresOf = (arrangement: Arrangement) => {
  const rounds = results.filter((result) => result.arrangement === arrangement);
  const of = (figure: (result: Result) => number): number => mean(rounds.map(figure));
  const cost = of(({ measurement }) => ((measurement.serverLoad ?? NaN) / measurement.perSecond) * 1_000);
  const kinds = [...(rounds[0]?.threads.keys() ?? [])];
  return {
    perSecond: of(({ measurement }) => measurement.perSecond),
    p50: of(({ measurement }) => measurement.p50),
    p99: of(({ measurement }) => measurement.p99),
    cores: of(({ measurement }) => measurement.serverLoad ?? NaN),
    loadCores: of(({ measurement }) => measurement.clientLoad),
    cost,
    threads: kinds.map((kind) => ({ kind, cost: cost * of(({ threads }) => (threads.get(kind) ?? NaN) / sum([...threads.values()])) })),
  };
};

const all = ARRANGEMENTS.map((arrangement) => ({ name: arrangement.name, ...figuresOf(arrangement) }));
const [one, both] = all as [(typeof all)[number], (typeof all)[number]];
const main = one.threads.find(({ kind }) => kind === MAIN_THREAD)?.cost ?? NaN;
const times = table(
  ['', 'logins per second', 'p50 ms', 'p99 ms', 'ms of processor time per login', 'cores that the server used', 'cores that the load used'],
  all.map(({ name, perSecond, p50, p99, cost, cores, loadCores }) => [
    name,
    perSecond.toFixed(0),
    p50.toFixed(0),
    p99.toFixed(0),
    cost.toFixed(2),
    cores.toFixed(2),
    loadCores.toFixed(2),
  ]),
);
const threads = table(
  ['threads', 'ms per login, server on one core', 'share', 'ms per login, server on both', 'share'],
  one.threads.map(({ kind, cost }, index) => {
    const other = both.threads[index]?.cost ?? NaN;
    return [kind, cost.toFixed(2), `${((cost / one.cost) * 100).toFixed(0)} %`, other.toFixed(2), `${((other / both.cost) * 100).toFixed(0)} %`];
  }),
);
const text = `Made by \`npm run bench -- cores --write\`: one standalone process with its defaults, whole logins, ${concurrency} at a time for ${ROUNDS} × ${seconds} s in each arrangement, in turn, after ${options['warm-up']} s of the same. The machine has two cores, and the load needs one of them: so a process with both cores shares the second with the load. The rows at half of the logins leave the load's core partly free, and the last two rows give one core or two to both programs together.

${times}

${threads}

The main thread runs the JavaScript, the statements of SQLite and the flushes of the disk, one at a time; it does not use a second core. The thread pool checks signatures, and V8's threads compile and collect garbage: they run beside it. So a second core helps by at most ${(one.cost / main).toFixed(2)} (all threads, ${one.cost.toFixed(2)} ms a login, divided by the main thread, ${main.toFixed(2)} ms), and a third one hardly; here, shared with the load, it helped by ${(both.perSecond / one.perSecond).toFixed(2)}. More logins need more processes: the distributed profile.

${machine()}. ${versions()}. ${new Date().toISOString().slice(0, 10)}. Load average before the run ${loadBefore.toFixed(1)}.`;
if (options.write) await writeChapter('One core and two', text);
process.stdout.write(`${text}\n`);
