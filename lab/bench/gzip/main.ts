import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

import { NO_STREAM, openEventStoreDb, streamName } from '#engines/event-store';
import { SystemClock, SystemRandomness } from '#kernel';

import type * as EventStoreServers from '../../../testkit/topologies/event-store-server.ts';
import { writeChapter } from '../chapters.js';
import { loginLoad } from '../login-load.js';
import { machine, table, versions } from '../report.js';
import { Server } from '../server.js';
import { Staff } from '../staff.js';

/**
 * `npm run bench -- gzip`: what it costs a service that KurrentDB compresses its answers. The test server in the dialect of KurrentDB answers in gzip, and as with
 * the server's option that switches it off; the client's processor time is that of an append, of a read and of a whole login.
 */
const { values: options } = parseArgs({
  args: process.argv.slice(3),
  options: {
    seconds: { type: 'string', default: '10' },
    /** Appends and reads under way at a time. */
    calls: { type: 'string', default: '64' },
    logins: { type: 'string', default: '16' },
    'warm-up': { type: 'string', default: '10' },
    /** How often each is measured, in turn. The table has the medians. */
    rounds: { type: 'string', default: '3' },
    /** Writes the chapter to docs/benchmarks.md. */
    write: { type: 'boolean', default: false },
  },
});
const [seconds, calls, logins, warmUp, rounds] = [options.seconds, options.calls, options.logins, options['warm-up'], options.rounds].map(Number) as [
  number,
  number,
  number,
  number,
  number,
];

// As a source file, which finds the program by its own place.
const serverFile = pathToFileURL(resolve('testkit/topologies/event-store-server.ts')).href;
const { GrpcTestServer } = (await import(serverFile)) as typeof EventStoreServers;

const LEVELS = ['Optimal', 'NoCompression'] as const;
type Level = (typeof LEVELS)[number];
/** Milliseconds of the client's processor time for each. */
type Costs = Readonly<Record<'append' | 'read' | 'login', number>>;

const randomness = new SystemRandomness();
const text = 'x'.repeat(300);
const processorMs = (): number => process.cpuUsage().user / 1_000 + process.cpuUsage().system / 1_000;

/** The processor time of this process for one call. */
const costOf = async (call: () => Promise<unknown>): Promise<number> => {
  const during = async (until: number): Promise<number> => {
    let done = 0;
    const caller = async (): Promise<void> => {
      for (; performance.now() < until; done += 1) await call();
    };
    await Promise.all(Array.from({ length: calls }, caller));
    return done;
  };
  await during(performance.now() + warmUp * 1_000);
  const before = processorMs();
  const done = await during(performance.now() + seconds * 1_000);
  return (processorMs() - before) / done;
};

const callCosts = async (connectionString: string): Promise<Pick<Costs, 'append' | 'read'>> => {
  const store = await openEventStoreDb({ connectionString, clock: new SystemClock(), randomness });
  try {
    const event = { type: 'Happened', data: { text } };
    const read = streamName('bench', randomness.uuid());
    await store.append(
      read,
      NO_STREAM,
      Array.from({ length: 5 }, () => event),
    );
    return {
      append: await costOf(() => store.append(streamName('bench', randomness.uuid()), NO_STREAM, [event])),
      read: await costOf(() => store.read(read)),
    };
  } finally {
    await store.close();
  }
};

const loginCost = async (connectionString: string, directory: string): Promise<number> => {
  const adminToken = randomBytes(24).toString('base64url');
  const server = await Server.start({
    main: 'dist/apps/standalone/src/main.js',
    env: { DATA_DIR: join(directory, 'data'), ADMIN_TOKEN: adminToken, DEMO: 'false', ESDB_URL: connectionString },
    ready: '/readyz',
    timeLimit: 180_000,
  });
  try {
    const staff = new Staff(server, adminToken);
    const relyingParty = await staff.newRelyingParty();
    const phones = [];
    while (phones.length < logins) phones.push(await staff.newPhone());
    const load = loginLoad({ server, relyingParty, phones });
    await load.run({ seconds: warmUp, concurrency: logins });
    const { perSecond, serverLoad = NaN, failures } = await load.run({ seconds, concurrency: logins });
    if (failures.size > 0) throw new Error(`logins failed: ${JSON.stringify([...failures])}`);
    return (serverLoad / perSecond) * 1_000;
  } finally {
    await server.stop();
  }
};

const measure = async (level: Level): Promise<Costs> => {
  const directory = await mkdtemp(join(tmpdir(), 'countersign-bench-'));
  const server = new GrpcTestServer(directory);
  server.options = ['--read-lag', 'never', '--dialect', '26.1', '--compression-level', level];
  await server.start();
  try {
    return { ...(await callCosts(server.url)), login: await loginCost(server.url, directory) };
  } finally {
    await server.kill();
    await rm(directory, { recursive: true });
  }
};

const [loadBefore = 0] = loadavg();
const measured: Record<Level, Costs[]> = { Optimal: [], NoCompression: [] };
for (let round = 0; round < rounds; round += 1) for (const level of LEVELS) measured[level].push(await measure(level));

const medianOf = (level: Level, what: keyof Costs): number => {
  const sorted = measured[level].map((costs) => costs[what]).toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? NaN;
};
const row = (name: string, what: keyof Costs): string[] => {
  const [compressed, plain] = [medianOf('Optimal', what), medianOf('NoCompression', what)];
  return [name, compressed.toFixed(3), plain.toFixed(3), (compressed - plain).toFixed(3), (compressed / plain).toFixed(2)];
};
const chapter = `Made by \`npm run bench -- gzip --write\`: the gRPC test server in the dialect of KurrentDB 26.1, which compresses each answer, and the same with the option \`CompressionLevel: NoCompression\`. Milliseconds of processor time of the client's process: ${calls} appends of one event, and reads of five, at a time over one connection; whole logins,
${logins} at a time, by one standalone process. Each ${rounds} times in turn, for ${seconds} s after ${warmUp} s of the same; medians. The server's own work is not counted.

${table(['', 'in gzip', 'as they are', 'difference', 'ratio'], [row('append', 'append'), row('read', 'read'), row('full login', 'login')])}

${machine()}. ${versions()}. ${new Date().toISOString().slice(0, 10)}. Load average before the run ${loadBefore.toFixed(1)}.`;
process.stdout.write(`${chapter}\n`);
if (options.write) await writeChapter('Answers in gzip', chapter);
