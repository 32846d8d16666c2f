import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { writeChapter } from '../chapters.js';
import { loginLoad } from '../login-load.js';
import { machine, table, versions } from '../report.js';
import { Server } from '../server.js';
import { Staff } from '../staff.js';
import { type Counted, readProfile, shareOf } from './cpu-profile.js';

/** `npm run bench -- macs`: the share of the MACs of events in a login's processor time (docs/adr/0021-event-macs.md). */
const { values: options } = parseArgs({
  args: process.argv.slice(3),
  options: {
    seconds: { type: 'string', default: '20' },
    concurrency: { type: 'string', default: '32' },
    'warm-up': { type: 'string', default: '15' },
    /** Writes the chapter to docs/benchmarks.md. */
    write: { type: 'boolean', default: false },
  },
});

const [seconds, concurrency, warmUp] = [Number(options.seconds), Number(options.concurrency), Number(options['warm-up'])];
/** The most that the MACs may take of a login's processor time. */
const TARGET = 0.05;
const PARTS: Readonly<Record<string, readonly Counted[]>> = {
  'MACs: the text that is covered, HMAC-SHA-256, comparison': [{ file: '/event-store/src/authentication/event-macs.js', calls: true }],
  'chain: memory of the end of each stream, order of the checks': [
    { file: '/event-store/src/authentication/event-chain.js', calls: false },
    { file: '/event-store/src/authentication/authenticated-event-store.js', calls: false },
    { file: '/event-store/src/authentication/accepted-items.js', calls: false },
    { file: '/event-store/src/authentication/late-keys.js', calls: false },
  ],
};

const [loadBefore = 0] = loadavg();
const directory = await mkdtemp(join(tmpdir(), 'countersign-bench-'));
const profiles = join(directory, 'profiles');
const adminToken = randomBytes(24).toString('base64url');
const server = await Server.start({
  main: 'dist/apps/standalone/src/main.js',
  env: { DATA_DIR: join(directory, 'data'), ADMIN_TOKEN: adminToken, DEMO: 'false' },
  flags: ['--cpu-prof', `--cpu-prof-dir=${profiles}`, '--cpu-prof-interval=500'],
  ready: '/readyz',
  timeLimit: 180_000,
});
try {
  const staff = new Staff(server, adminToken);
  const relyingParty = await staff.newRelyingParty();
  const phones = [];
  while (phones.length < concurrency) phones.push(await staff.newPhone());
  const load = loginLoad({ server, relyingParty, phones });
  await load.run({ seconds: warmUp, concurrency });
  const [began, cpuBefore, mainBefore] = [performance.now(), server.cpuSeconds() ?? NaN, server.mainThreadSeconds() ?? NaN];
  const { perSecond, failures } = await load.run({ seconds, concurrency });
  const [ended, cpuSeconds, mainSeconds] = [
    performance.now(),
    (server.cpuSeconds() ?? NaN) - cpuBefore,
    (server.mainThreadSeconds() ?? NaN) - mainBefore,
  ];
  await server.stop();
  const stopped = performance.now();
  if (failures.size > 0 || !(cpuSeconds > 0)) throw new Error(`no measurement: ${JSON.stringify([...failures])}`);

  const logins = (perSecond * (ended - began)) / 1_000;
  const profile = await readProfile(profiles);
  const rows = Object.entries(PARTS).map(([part, files]) => ({
    part,
    spent: mainSeconds * shareOf(profile, files, stopped - began, stopped - ended),
  }));
  const all = rows.reduce((sum, { spent }) => sum + spent, 0);
  const line = (part: string, spent: number): string[] => [part, ((spent / logins) * 1e6).toFixed(0), `${((spent / cpuSeconds) * 100).toFixed(2)} %`];
  const text = `Made by \`npm run bench -- macs --write\`: ${Math.round(logins)} full logins, ${concurrency} at a time, by one standalone process with its defaults, after ${warmUp} s of the same.
V8's profiler tells which part of its samples of the main thread lies in these files. Times the processor time of that thread, this is what a part costs; its share is of the processor time of the whole process, in the same run.

${table(
  ['part of a login', 'microseconds', "share of the login's processor time"],
  [...rows.map(({ part, spent }) => line(part, spent)), line('both', all), line('the login', cpuSeconds)],
)}

The limit is ${TARGET * 100} %: ${all / cpuSeconds <= TARGET ? 'kept' : '**exceeded**'}. ${machine()}. ${versions()}. ${new Date().toISOString().slice(0, 10)}. Load average before the run ${loadBefore.toFixed(1)}.`;
  process.stdout.write(`${text}\n`);
  if (options.write) await writeChapter('The cost of MACs', text);
} finally {
  await server.stop();
  await rm(directory, { recursive: true });
}
