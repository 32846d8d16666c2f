import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

import type { Topology as LocalTopology } from '../../../testkit/topologies/topology.ts';
import { writeChapter } from '../chapters.js';
import { loginLoad } from '../login-load.js';
import { processorSeconds } from '../processor-time.js';
import { machine, table, versions } from '../report.js';
import { Staff } from '../staff.js';

/**
 * `npm run bench -- distributed`: the processor time of a login in each service of the distributed profile, with all replicas, and what the services cost while
 * nothing happens. Engines that the environment names (ESDB_URL, KAFKA_BROKERS, REDIS_URL, POSTGRES_URL) are used, the others started.
 */
const { values: options } = parseArgs({
  args: process.argv.slice(3),
  options: {
    seconds: { type: 'string', default: '30' },
    concurrency: { type: 'string', default: '16' },
    // V8 interprets a function until it has run some hundred times, which takes each of the processes a thousand logins.
    'warm-up': { type: 'string', default: '120' },
    /** Seconds between the load and the idle time. V8 collects what the load has left in the two to three minutes after it, which an idle service does not. */
    rest: { type: 'string', default: '180' },
    /** Seconds without a request. The processor time of a process is counted in hundredths of a second. */
    idle: { type: 'string', default: '60' },
    /** Writes the chapter to docs/benchmarks.md. */
    write: { type: 'boolean', default: false },
  },
});
const [seconds, concurrency, warmUp, rest, idle] = [options.seconds, options.concurrency, options['warm-up'], options.rest, options.idle].map(
  Number,
) as [number, number, number, number, number];
/** After requests, until consumers and read models have done their part. Seconds. */
const SETTLES = 10;

// As a source file, which finds the services by its own place: the compiled copy would look for them in dist.
const topologyFile = pathToFileURL(resolve('testkit/topologies/topology.ts')).href;
const { Topology } = (await import(topologyFile)) as { readonly Topology: typeof LocalTopology };

const [loadBefore = 0] = loadavg();
const directory = await mkdtemp(join(tmpdir(), 'countersign-bench-'));
const adminToken = randomBytes(24).toString('base64url');
const topology = new Topology({ directory, settings: { ADMIN_TOKEN: adminToken, LOG_LEVEL: 'info' } });

/** Seconds of processor time so far, of each service with all its replicas. */
const spent = (): ReadonlyMap<string, number> => {
  const sums = new Map<string, number>();
  for (const { name, pid } of topology.replicas) sums.set(name, (sums.get(name) ?? 0) + (processorSeconds(String(pid)) ?? NaN));
  return sums;
};
const sum = (of: ReadonlyMap<string, number>): number => [...of.values()].reduce((total, each) => total + each, 0);
const during = async (work: () => Promise<unknown>): Promise<ReadonlyMap<string, number>> => {
  const before = spent();
  await work();
  return new Map([...spent()].map(([name, after]) => [name, after - (before.get(name) ?? 0)]));
};

try {
  await topology.start();
  const server = { url: topology.settings['BASE_URL'] ?? '', cpuSeconds: () => sum(spent()) };
  const staff = new Staff(server, adminToken);
  const relyingParty = await staff.newRelyingParty();
  const phones = [];
  while (phones.length < concurrency) phones.push(await staff.newPhone());
  const load = loginLoad({ server, relyingParty, phones });
  await load.run({ seconds: warmUp, concurrency });
  let logins = 0;
  const awake = await during(async () => {
    const { perSecond, failures } = await load.run({ seconds, concurrency });
    if (failures.size > 0) throw new Error(`logins failed: ${JSON.stringify([...failures])}`);
    logins = Math.round(perSecond * seconds);
    await pause(SETTLES * 1_000);
  });
  await pause(rest * 1_000);
  const asleep = await during(() => pause(idle * 1_000));
  const row = (name: string, busy: number, quiet: number): string[] => [name, ((busy / logins) * 1_000).toFixed(1), (quiet / idle).toFixed(3)];
  const rows = [...awake].map(([name, busy]) => row(name, busy, asleep.get(name) ?? NaN));
  const text = `Made by \`npm run bench -- distributed --write\`: ${logins} full logins, ${concurrency} at a time, after ${warmUp} s of the same; then nothing for ${rest} s, and the idle time of ${idle} s. Two processes of each service; engines, gateway and load are not counted. The round trips of a login are asserted by \`apps/standalone/test/login-cost.e2e.spec.ts\`.

${table(['service', 'ms of processor time per login', 'cores while idle'], [...rows, row('all', sum(awake), sum(asleep))])}

${machine()}. ${versions()}. ${new Date().toISOString().slice(0, 10)}. Load average before the run ${loadBefore.toFixed(1)}. Event store: ${process.env['ESDB_URL'] ? 'the one that ESDB_URL names' : 'the gRPC test server'}.`;
  if (options.write) await writeChapter('A login of separate services', text);
  process.stdout.write(`${text}\n`);
} finally {
  await topology.kill();
  await rm(directory, { recursive: true, force: true });
}
