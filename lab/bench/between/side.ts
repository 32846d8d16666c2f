import { createHash, randomBytes } from 'node:crypto';
import { join } from 'node:path';

import { pin } from '../affinity.js';
import { ContainerMaker } from '../container-maker.js';
import { httpLoad } from '../http-load.js';
import { inTurn } from '../in-turn.js';
import type { Load, LoadOptions } from '../load.js';
import { loginLoad } from '../login-load.js';
import { Server } from '../server.js';
import { Staff } from '../staff.js';
import type { Tree } from './tree.js';

/** What one measurement of a path gave. */
export interface Figures {
  /** Milliseconds of the process' processor time for one. */
  readonly cost: number;
  /** Milliseconds; a container has none. */
  readonly p99?: number;
}

/** One way through the service that is measured. */
export interface Path {
  readonly name: string;
  warmUp(): Promise<unknown>;
  measure(): Promise<Figures>;
}

/** Seconds. */
export interface Durations {
  readonly login: number;
  readonly request: number;
  readonly warmUp: number;
}

/** For a start that hangs, in milliseconds. */
const START_TIME = 180_000;
const CONCURRENCY = 64;
const PACE = 150;
const SESSIONS_POLLED = 200;
const SESSION = '/relying-party/v1/session';
/** Of the warm-up of a login: a request and a container are compiled sooner. */
const SHORTER = 4;

/** The service and the containers of one commit, each in a process on core 0, over a store of its own. */
export class Side {
  private constructor(
    readonly tree: Tree,
    readonly paths: readonly Path[],
    private readonly server: Server,
    private readonly maker: ContainerMaker | undefined,
  ) {}

  static async start(tree: Tree, directory: string, durations: Durations): Promise<Side> {
    const adminToken = randomBytes(24).toString('base64url');
    const server = await Server.start({
      main: join(tree.folder, tree.start.main),
      cwd: tree.folder,
      startFlags: tree.start.flags,
      // Sessions must outlive the measurement, or polling them would measure how they expire.
      env: { DATA_DIR: directory, ADMIN_TOKEN: adminToken, DEMO: 'false', SESSION_TTL: '3600' },
      ready: '/readyz',
      timeLimit: START_TIME,
    });
    const maker = tree.containerProcess === undefined ? undefined : await ContainerMaker.start(tree.containerProcess);
    for (const { pid } of [server, ...(maker ? [maker] : [])]) pin(pid, '0');
    const paths = [...(await requestPaths(server, adminToken, durations)), ...(maker ? [containerPath(maker, durations)] : [])];
    return new Side(tree, paths, server, maker);
  }

  async stop(): Promise<void> {
    await Promise.all([this.server.stop(), this.maker?.stop()]);
  }
}

const challenge = (): string => createHash('sha256').update(randomBytes(32)).digest('base64url');

const requestPaths = async (server: Server, adminToken: string, durations: Durations): Promise<readonly Path[]> => {
  const staff = new Staff(server, adminToken);
  const relyingParty = await staff.newRelyingParty();
  const phones = await inTurn(CONCURRENCY, () => staff.newPhone());
  const sessions = await inTurn(SESSIONS_POLLED, () => relyingParty.create(challenge()));
  const { headers } = relyingParty;
  const body = JSON.stringify(relyingParty.login(challenge()));
  const login = loginLoad({ server, relyingParty, phones });
  const polls = sessions.map((id) => ({ method: 'GET', path: `${SESSION}/${id}/status`, headers }));
  const creation = { method: 'POST', path: SESSION, headers: { ...headers, 'content-type': 'application/json' }, body };
  return [
    path('Full login', login, { seconds: durations.login, concurrency: CONCURRENCY }, durations.warmUp),
    path(`Full login, ${PACE} a second`, login, { seconds: durations.login, concurrency: CONCURRENCY, perSecond: PACE }, 0),
    path(
      'Status poll',
      httpLoad({ name: '', server, requests: polls }),
      { seconds: durations.request, concurrency: CONCURRENCY },
      durations.warmUp / SHORTER,
    ),
    path(
      'Create a session (durable)',
      httpLoad({ name: '', server, requests: [creation] }),
      { seconds: durations.request, concurrency: CONCURRENCY },
      durations.warmUp / SHORTER,
    ),
  ];
};

const path = (name: string, load: Load, options: LoadOptions, warmUp: number): Path => ({
  name,
  warmUp: async () => (warmUp === 0 ? undefined : load.run({ ...options, seconds: warmUp })),
  measure: async () => {
    const { perSecond, serverLoad, p99, failures } = await load.run(options);
    if (failures.size > 0) throw new Error(`${name}: ${JSON.stringify([...failures])}`);
    return { cost: ((serverLoad ?? NaN) / perSecond) * 1_000, p99 };
  },
});

const containerPath = (maker: ContainerMaker, durations: Durations): Path => ({
  name: 'Signed container, P-256, level LT',
  warmUp: () => maker.make(durations.warmUp / SHORTER),
  measure: async () => {
    const { containers, cpuSeconds } = await maker.make(durations.request);
    return { cost: (cpuSeconds / containers) * 1_000 };
  },
});
