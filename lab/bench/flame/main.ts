import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { ContainerMaker } from '../container-maker.js';
import { httpLoad } from '../http-load.js';
import type { Load } from '../load.js';
import { loginLoad } from '../login-load.js';
import { Server } from '../server.js';
import { Staff } from '../staff.js';
import { flameGraph, treeOf } from './flame-graph.js';
import { recordStacks } from './perf-stacks.js';

/**
 * `npm run bench -- flame`: a flame graph of each hot path of the standalone process, and of a signed container, in docs/images. Needs Linux's perf, and a kernel that lets it see the
 * process (`kernel.perf_event_paranoid`).
 */
const { values: options } = parseArgs({
  args: process.argv.slice(3),
  options: {
    seconds: { type: 'string', default: '10' },
    'warm-up': { type: 'string', default: '15' },
    concurrency: { type: 'string', default: '32' },
    /** Only the pictures whose name holds this: `status-poll`, `create`, `login`, `container`. */
    only: { type: 'string', default: '' },
    /** Where the pictures are written. */
    directory: { type: 'string', default: 'docs/images' },
  },
});
const [seconds, warmUp, concurrency] = [Number(options.seconds), Number(options['warm-up']), Number(options.concurrency)];
const SESSIONS_POLLED = 200;

const challenge = (): string => createHash('sha256').update(randomBytes(32)).digest('base64url');

const loadsOf = async (server: Server, adminToken: string): Promise<Readonly<Record<string, Load>>> => {
  const staff = new Staff(server, adminToken);
  const relyingParty = await staff.newRelyingParty();
  const { headers } = relyingParty;
  const [phones, sessions] = [[] as Awaited<ReturnType<Staff['newPhone']>>[], [] as string[]];
  while (phones.length < concurrency) phones.push(await staff.newPhone());
  while (sessions.length < SESSIONS_POLLED) sessions.push(await relyingParty.create(challenge()));
  const session = '/relying-party/v1/session';
  const create = { headers: { ...headers, 'content-type': 'application/json' }, body: JSON.stringify(relyingParty.login(challenge())) };
  return {
    'status-poll': httpLoad({
      name: 'Status poll',
      server,
      requests: sessions.map((id) => ({ method: 'GET', path: `${session}/${id}/status`, headers: { ...headers } })),
    }),
    create: httpLoad({ name: 'Create a session (durable)', server, requests: [{ method: 'POST', path: session, ...create }] }),
    login: loginLoad({ server, relyingParty, phones }),
  };
};

const FLAGS = ['--perf-basic-prof', '--interpreted-frames-native-stack'];
const directory = await mkdtemp(join(tmpdir(), 'countersign-bench-'));
const wanted = (name: string): boolean => name.includes(options.only);

const draw = async (name: string, title: string, pid: number, work: () => Promise<unknown>): Promise<void> => {
  const stacks = await recordStacks(pid, join(directory, `${name}.data`), work);
  const file = join(options.directory, `flame-${name}.svg`);
  await writeFile(file, flameGraph(treeOf(stacks), `${title}: ${stacks.length} samples of processor time, ${new Date().toISOString().slice(0, 10)}`));
  console.error(`${file}: ${stacks.length} samples`);
};

const drawRequests = async (): Promise<void> => {
  const adminToken = randomBytes(24).toString('base64url');
  const server = await Server.start({
    main: 'dist/apps/standalone/src/main.js',
    env: { DATA_DIR: join(directory, 'data'), ADMIN_TOKEN: adminToken, DEMO: 'false', SESSION_TTL: '3600' },
    flags: FLAGS,
    ready: '/readyz',
    timeLimit: 180_000,
  });
  try {
    for (const [name, load] of Object.entries(await loadsOf(server, adminToken)).filter(([name]) => wanted(name))) {
      await load.run({ seconds: warmUp, concurrency });
      await draw(name, load.name, server.pid, () => load.run({ seconds, concurrency }));
    }
  } finally {
    await server.stop();
  }
};

const drawContainer = async (): Promise<void> => {
  const maker = await ContainerMaker.start('dist/lab/bench/container-process.js', FLAGS);
  try {
    await maker.make(warmUp);
    await draw('container', 'Signed container, P-256, level LT', maker.pid, () => maker.make(seconds));
  } finally {
    await maker.stop();
  }
};

try {
  if (['status-poll', 'create', 'login'].some(wanted)) await drawRequests();
  if (wanted('container')) await drawContainer();
} finally {
  await rm(directory, { recursive: true, force: true });
}
