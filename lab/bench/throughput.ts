import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { writeThroughput } from './chapters.js';
import { containerChapter } from './containers.bench.js';
import { givenAnswer } from './given-answer.js';
import { httpLoad } from './http-load.js';
import { inTurn } from './in-turn.js';
import type { HttpRequest } from './lean-connection.js';
import type { Load } from './load.js';
import { loginLoad } from './login-load.js';
import { pagesChapter } from './pages.bench.js';
import { FULL_LOGIN, report, type Result, SAME_ANSWER, STATUS_POLL } from './report.js';
import { Server } from './server.js';
import { Staff } from './staff.js';
import { steadyRates } from './steady-rates.js';
import { webhookChapter } from './webhooks.bench.js';

const { values: options } = parseArgs({
  options: {
    /** How long each case is measured. */
    seconds: { type: 'string', default: '8' },
    concurrency: { type: 'string', default: '64' },
    /** Seconds of the same load before each case. After five seconds V8 still compiles the code of a login, and the measurement would show that. */
    'warm-up': { type: 'string', default: '10' },
    /** Only the cases whose name holds this. */
    only: { type: 'string', default: '' },
    /** Writes docs/benchmarks.md. */
    write: { type: 'boolean', default: false },
    /** Writes a profile of the standalone process (`.cpuprofile`) to this directory. */
    profile: { type: 'string' },
  },
});
const seconds = Number(options.seconds);
const concurrency = Number(options.concurrency);
const warmUp = Number(options['warm-up']);

const SESSIONS_POLLED = 500;
/** Enough for a number of the containers' chapter: there are two dozen. */
const CONTAINER_SECONDS = 2;

const challenge = (): string => createHash('sha256').update(randomBytes(32).toString('base64url')).digest('base64url');

const STATUS = '/relying-party/v1/session/:sessionId/status';

interface StandaloneLoads {
  readonly loads: readonly Load[];
  readonly polls: readonly [HttpRequest, ...HttpRequest[]];
}

const standaloneLoads = async (server: Server, adminToken: string): Promise<StandaloneLoads> => {
  const staff = new Staff(server, adminToken);
  const relyingParty = await staff.newRelyingParty();
  const phones = await inTurn(concurrency, () => staff.newPhone());
  const sessions = await inTurn(SESSIONS_POLLED, () => relyingParty.create(challenge()));
  const { headers } = relyingParty;
  const polls = sessions.map((id): HttpRequest => ({ method: 'GET', path: STATUS.replace(':sessionId', id), headers: { ...headers } }));
  const loads = [
    httpLoad({ name: STATUS_POLL, server, requests: polls }),
    httpLoad({
      name: 'Create a session (durable)',
      server,
      requests: [
        {
          method: 'POST',
          path: '/relying-party/v1/session',
          headers: { ...headers, 'content-type': 'application/json' },
          body: JSON.stringify(relyingParty.login(challenge())),
        },
      ],
    }),
    loginLoad({ server, relyingParty, phones }),
  ];
  return { loads, polls: polls as [HttpRequest, ...HttpRequest[]] };
};

const measure = async (load: Load): Promise<Result> => {
  await load.run({ seconds: warmUp, concurrency });
  const full = await load.run({ seconds, concurrency });
  if (full.perSecond < 2) throw new Error(`${load.name} failed: ${JSON.stringify([...full.failures])}`);
  const half = await load.run({ seconds, concurrency, perSecond: full.perSecond / 2 });
  const isCompared = [STATUS_POLL, SAME_ANSWER].includes(load.name);
  const awake = isCompared ? await load.run({ seconds, concurrency, awake: true }) : undefined;
  const { perSecond, serverLoad, clientLoad } = full;
  console.error(
    `${load.name}: ${Math.round(perSecond)}/s; cores: server ${serverLoad?.toFixed(2) ?? '?'}, load ${clientLoad.toFixed(2)}`,
    full.failures,
    half.failures,
  );
  return { name: load.name, full, half, awake };
};

const [loadBefore = 0] = loadavg();
const directory = await mkdtemp(join(tmpdir(), 'countersign-bench-'));
const adminToken = randomBytes(24).toString('base64url');
const standalone = await Server.start({
  main: 'dist/apps/standalone/src/main.js',
  // Sessions must outlive the measurement, or polling them would measure how they expire.
  env: { DATA_DIR: directory, ADMIN_TOKEN: adminToken, DEMO: 'false', SESSION_TTL: '3600' },
  flags: options.profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${options.profile}`],
  ready: '/readyz',
});
let bare: Server | undefined;
let text = '';
let pages = '';
let rates = '';
try {
  const { loads, polls } = await standaloneLoads(standalone, adminToken);
  const answer = JSON.stringify(await givenAnswer(standalone, polls[0], STATUS));
  bare = await Server.start({ main: 'dist/lab/bench/bare-fastify.js', env: { ANSWER: answer }, ready: '/' });
  const hello = httpLoad({ name: 'Bare Fastify, hello', server: bare, requests: [{ method: 'GET', path: '/' }] });
  const same = httpLoad({ name: SAME_ANSWER, server: bare, requests: polls });
  const wanted = loads.filter(({ name }) => name.toLowerCase().includes(options.only.toLowerCase()));
  const results: Result[] = [];
  for (const load of [hello, ...(wanted.some(({ name }) => name === STATUS_POLL) ? [same] : []), ...wanted]) results.push(await measure(load));
  const login = wanted.find(({ name }) => name === FULL_LOGIN);
  if (login) rates = await steadyRates(login, { seconds, concurrency });
  if ('pages'.includes(options.only.toLowerCase())) {
    const relyingParty = await new Staff(standalone, adminToken).newRelyingParty('Page benchmark');
    // {base_url} of the defaults.
    pages = await pagesChapter(standalone.url.replace('127.0.0.1', 'localhost'), relyingParty);
  }
  text = report(results, { seconds, concurrency, warmUp, at: new Date(), loadBefore });
} finally {
  await Promise.all([bare?.stop(), standalone.stop()]);
  await rm(directory, { recursive: true });
}

if (rates !== '') text += `\n${rates}`;
if (pages !== '') text += `\n${pages}`;

// In this process alone, now that the servers are gone.
if ('webhooks'.includes(options.only.toLowerCase())) text += `\n${await webhookChapter(seconds)}`;
if ('signed containers'.includes(options.only.toLowerCase())) text += `\n${await containerChapter(Math.min(seconds, CONTAINER_SECONDS))}`;
if (options.write) await writeThroughput(text);
process.stdout.write(text);
