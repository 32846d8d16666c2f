import { mkdtemp, rm } from 'node:fs/promises';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { KEYCLOAK_VERSION } from '../../../testkit/programs/keycloak/build.ts';
import { pin, withoutSleep } from '../affinity.js';
import { writeChapter } from '../chapters.js';
import type { Load } from '../load.js';
import type { Measurement } from '../measurement.js';
import { machine, table, versions } from '../report.js';
import type { Server } from '../server.js';
import { type Circumstances, type Contender, countersign, keycloak, oidcProvider } from './contender.js';

/**
 * `npm run bench -- compare`: whole logins with Countersign, `oidc-provider` and Keycloak, one server after the other. Needs two cores and Linux; for Keycloak
 * Java 17 and Maven, which fetches it once.
 */
const { values: options } = parseArgs({
  args: process.argv.slice(3),
  options: {
    seconds: { type: 'string', default: '8' },
    /** Logins under way at a time. */
    concurrency: { type: 'string', default: '16' },
    'warm-up': { type: 'string', default: '12' },
    'warm-up-of-java': { type: 'string', default: '60' },
    /** Leaves Keycloak out. */
    'without-keycloak': { type: 'boolean', default: false },
    /** Writes the chapter to docs/benchmarks.md. */
    write: { type: 'boolean', default: false },
  },
});
const [seconds, concurrency] = [Number(options.seconds), Number(options.concurrency)];
if (cpus().length < 2) throw new Error('the server and the load need a core each');
const ALL = `0-${cpus().length - 1}`;

interface Result {
  readonly name: string;
  /** The server on core 0, the load on core 1 and never asleep. */
  readonly pinned: Measurement;
  /** Both where the system puts them. */
  readonly free: Measurement;
}

const onCores = async <Answer>(server: Server, cores: readonly [server: string, load: string], work: () => Promise<Answer>): Promise<Answer> => {
  pin(server.pid, cores[0]);
  pin(process.pid, cores[1]);
  return work();
};

const measured = async (load: Load, server: Server): Promise<Result> => {
  const run = (): Promise<Measurement> => load.run({ seconds, concurrency });
  const pinned = await onCores(server, ['0', '1'], () => withoutSleep(run));
  const free = await onCores(server, [ALL, ALL], run);
  for (const { failures } of [pinned, free]) if (failures.size > 0) throw new Error(`${load.name}: ${JSON.stringify([...failures])}`);
  console.error(`${load.name}: ${pinned.perSecond.toFixed(1)}/s with a core each, ${free.perSecond.toFixed(1)}/s free`);
  return { name: load.name, pinned, free };
};

const compared = async (start: (about: Circumstances) => Promise<Contender>): Promise<readonly Result[]> => {
  const directory = await mkdtemp(join(tmpdir(), 'countersign-bench-'));
  let server: Server | undefined;
  try {
    const about = { directory, persons: concurrency, warmUp: Number(options['warm-up']), warmUpOfJava: Number(options['warm-up-of-java']) };
    const contender = await start(about);
    server = contender.server;
    const results: Result[] = [];
    await contender.loads[0]?.run({ seconds: contender.warmUp, concurrency });
    for (const load of contender.loads) results.push(await measured(load, contender.server));
    return results;
  } finally {
    await server?.stop();
    await rm(directory, { recursive: true, force: true });
  }
};

const cost = ({ serverLoad, perSecond }: Measurement): number => ((serverLoad ?? NaN) / perSecond) * 1_000;

const tableOf = (results: readonly Result[], which: 'pinned' | 'free'): string => {
  const ours = cost((results[0] as Result)[which]);
  const rows = results.map(({ name, [which]: measurement }) => [
    name,
    measurement.perSecond.toFixed(0),
    measurement.p50.toFixed(0),
    measurement.p99.toFixed(0),
    cost(measurement).toFixed(2),
    (cost(measurement) / ours).toFixed(1),
  ]);
  return table(['', 'logins per second', 'p50 ms', 'p99 ms', 'ms of processor time per login', 'times ours'], rows);
};

const [loadBefore = 0] = loadavg();
const results: Result[] = [];
for (const start of [countersign, oidcProvider, ...(options['without-keycloak'] ? [] : [keycloak])]) results.push(...(await compared(start)));

const text = `Made by \`npm run bench -- compare --write\`, which fetches Keycloak by Maven the first time and needs Java 17, Maven and Linux: one server after the other in one run, whole logins over HTTP, ${concurrency} at a time for ${seconds} s. Processor time is that of the server's process.

- **Countersign**: the standalone process with its defaults. Five requests (session, scan, confirm, completion, token); the phone signs; everything is on disk before it is answered.
- **oidc-provider**: authorization code and PKCE in five requests, a form that takes a name without a password, an id token with RS256. Everything is in memory: a restart forgets all sessions.
- **Keycloak ${KEYCLOAK_VERSION}**, built for production, with its development database in a file, which it writes to disk up to half a second after the answer: authorization code and PKCE in three requests, a login page, a password, an id token with RS256. Once with its own hash (Argon2), and once with a hash that costs nothing (one round of PBKDF2), so that the rest can be compared. Java has run the latter for ${options['warm-up-of-java']} s before.

The server on one core, the load on another one, where it never sleeps:

${tableOf(results, 'pinned')}

Server and load where the system puts them; the load sleeps while it waits:

${tableOf(results, 'free')}

${machine()}. ${versions()}. ${new Date().toISOString().slice(0, 10)}. Load average before the run ${loadBefore.toFixed(1)}.`;
if (options.write) await writeChapter('Beside Keycloak and oidc-provider', text);
process.stdout.write(`${text}\n`);
