import { mkdtemp, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import type { EventStore } from '#engines/event-store';
import { type ClientId, type IdentityId, SystemRandomness } from '#kernel';
import { storeFinishedSessions } from '#testkit/session/finished-sessions';

import { writeChapter } from '../chapters.js';
import { machine, table, versions } from '../report.js';
import { Server } from '../server.js';
import { type BenchStore, grpcStore, sqliteStore } from './stores.js';

/** `npm run bench -- start`: how soon a process is ready over sessions that no consumer and no read model has ever read. */
const { values: options } = parseArgs({
  args: process.argv.slice(3),
  options: {
    sessions: { type: 'string', default: '200000' },
    /** Writes the chapter to docs/benchmarks.md. */
    write: { type: 'boolean', default: false },
  },
});

const SESSIONS = Number(options.sessions);
const EVENTS_PER_SESSION = 5;
const CLIENTS = 100;
const PERSONS = 10_000;
/** Milliseconds from one session to the next: the newest is minutes old. */
const EVERY = 8;
/** The most processor time of a start until it is ready, in milliseconds. */
const TARGET = 5_000;

interface Start {
  readonly sessions: number;
  readonly milliseconds: number;
  readonly cpuMilliseconds: number;
  /** The largest part of the backlog that a consumer had read when the process was ready. */
  readonly read: number;
}

const fill = async (events: Pick<EventStore, 'append'>, count: number): Promise<void> => {
  const randomness = new SystemRandomness();
  const ids = <Id extends string>(number: number): Id[] => Array.from({ length: number }, () => randomness.uuid<Id>());
  const from = Date.now() - (count + 60_000) * EVERY;
  const [clients, persons] = [ids<ClientId>(CLIENTS), ids<IdentityId>(PERSONS)];
  await storeFinishedSessions(events, { count, clients, persons, from, every: EVERY, randomness });
};

const start = async (directory: string, settings: Readonly<Record<string, string>>, sessions: number): Promise<Start> => {
  const began = performance.now();
  const server = await Server.start({
    main: 'dist/services/standalone.js',
    env: { DATA_DIR: directory, DEMO: 'false', SANDBOX: 'false', ...settings },
    ready: '/readyz',
    timeLimit: 600_000,
  });
  try {
    const [milliseconds, cpuMilliseconds] = [performance.now() - began, (server.cpuSeconds() ?? NaN) * 1_000];
    const metrics = await (await fetch(`${server.url}/metrics`)).text();
    const read = [...Map.groupBy(metrics.matchAll(/^message_bus_messages_total\{.*group="([^"]+)".*\} (\d+)$/gmu), ([, group]) => group).values()];
    return {
      sessions,
      milliseconds,
      cpuMilliseconds,
      read: Math.max(0, ...read.map((lines) => lines.reduce((sum, [, , count]) => sum + Number(count), 0))),
    };
  } finally {
    await server.stop();
  }
};

const measure = async (open: (directory: string) => BenchStore, sessions: number): Promise<Start & { readonly store: string }> => {
  const directory = await mkdtemp(join(tmpdir(), 'countersign-start-'));
  try {
    const store = open(directory);
    try {
      // The first start of an installation notes its keys in the empty store.
      const first = await start(directory, await store.serve(), 0);
      await store.rest();
      if (sessions > 0) await store.fill((events) => fill(events, sessions));
      const measured = { store: store.name, ...(sessions > 0 ? await start(directory, await store.serve(), sessions) : first) };
      console.error(measured);
      return measured;
    } finally {
      await store.rest();
    }
  } finally {
    await rm(directory, { recursive: true });
  }
};

const [loadBefore = 0] = loadavg();
const starts = [];
for (const open of [sqliteStore, grpcStore]) for (const sessions of [0, SESSIONS]) starts.push(await measure(open, sessions));
const whole = (value: number): string => Math.round(value).toLocaleString('en');
const text = [
  `Made by \`npm run bench -- start --write\`: the standalone process starts over finished logins that a generator has stored, and that no consumer and no read model has read, on`,
  'both stores. The process is ready at the first 200 of `/readyz`. It reads the backlog after that, beside requests; the last column says how many events the furthest consumer had read a moment later.',
  '',
  table(
    ['store', 'sessions', 'stored events', 'ready after ms', 'ms of processor time', 'read by then'],
    starts.map(({ store, sessions, milliseconds, cpuMilliseconds, read }) => [
      store,
      whole(sessions),
      whole(sessions * EVENTS_PER_SESSION),
      whole(milliseconds),
      whole(cpuMilliseconds),
      whole(read),
    ]),
  ),
  '',
  `${machine()}. ${versions()}. ${new Date().toISOString().slice(0, 10)}. Load average before the run ${loadBefore.toFixed(1)}, after it ${(loadavg()[0] ?? 0).toFixed(1)}.`,
  '',
  `The target is five seconds; the command fails above that in processor time. \`test/drills/start-up.drill.spec.ts\` asserts the same for 10,000 sessions on SQLite, and \`apps/standalone/test/start-up.e2e.spec.ts\` asserts that no event of a backlog is read before the process is ready.`,
].join('\n');
if (options.write) await writeChapter('Start over a backlog', text);
process.stdout.write(`${text}\n`);
const late = starts.filter(({ cpuMilliseconds }) => cpuMilliseconds > TARGET);
if (late.length > 0) throw new Error(`ready after more than ${TARGET} ms of processor time: ${late.map(({ store }) => store).join(', ')}`);
