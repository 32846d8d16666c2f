import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { httpLoad } from '../http-load.js';
import type { Load } from '../load.js';
import { loginLoad } from '../login-load.js';
import { Server } from '../server.js';
import { Staff } from '../staff.js';
import { flameGraph, treeOf } from './flame-graph.js';
import { recordStacks } from './perf-stacks.js';

/**
 * `npm run bench -- flame`: a flame graph of each hot path of the standalone process, in docs/images. Needs Linux's perf, and a kernel that lets it see the
 * process (`kernel.perf_event_paranoid`).
 */
const { values: options } = parseArgs({
  args: process.argv.slice(3),
  options: {
    seconds: { type: 'string', default: '10' },
    'warm-up': { type: 'string', default: '15' },
    concurrency: { type: 'string', default: '32' },
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

const directory = await mkdtemp(join(tmpdir(), 'countersign-bench-'));
const adminToken = randomBytes(24).toString('base64url');
const server = await Server.start({
  main: 'dist/apps/standalone/src/main.js',
  env: { DATA_DIR: join(directory, 'data'), ADMIN_TOKEN: adminToken, DEMO: 'false', SESSION_TTL: '3600' },
  flags: ['--perf-basic-prof', '--interpreted-frames-native-stack'],
  ready: '/readyz',
  timeLimit: 180_000,
});
try {
  for (const [name, load] of Object.entries(await loadsOf(server, adminToken))) {
    await load.run({ seconds: warmUp, concurrency });
    const stacks = await recordStacks(server.pid, join(directory, `${name}.data`), () => load.run({ seconds, concurrency }));
    const file = join(options.directory, `flame-${name}.svg`);
    await writeFile(
      file,
      flameGraph(treeOf(stacks), `${load.name}: ${stacks.length} samples of processor time, ${new Date().toISOString().slice(0, 10)}`),
    );
    console.error(`${file}: ${stacks.length} samples`);
  }
} finally {
  await server.stop();
  await rm(directory, { recursive: true, force: true });
}
