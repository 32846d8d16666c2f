import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Redis } from 'ioredis';

import { SqliteEventStore } from '#engines/event-store';
import { BullmqJobQueue, type JobQueue } from '#engines/job-queue';
import { SystemClock, SystemRandomness } from '#kernel';
import { FixedClock } from '#testkit/kernel/fixed-clock';
import { eventually } from '#testkit/kernel/eventually';
import { openPostgresqlReadModels, Projections } from '#engines/read-model';
import { CountedReadModels } from '#testkit/read-model/counted-read-models';
import { TemporaryDatabase } from '#testkit/read-model/temporary-database';
import { Metrics, SilentLog } from '#telemetry';

import { RedisServer } from '../../../testkit/programs/redis/redis-server.ts';
import { PARTITIONS, replicasFixture } from './replicas.fixture.js';

const ENDPOINTS = 8;
const EVENTS = 4;
const DELIVERIES = ENDPOINTS * EVENTS;
const PATIENT = { within: 60_000 };

const postgresql = process.env['POSTGRES_URL'];

(process.env['REDIS_URL'] === undefined || postgresql === undefined ? describe.skip : describe)('the deliveries of sessions', () => {
  const parts = { clock: new SystemClock(), randomness: new SystemRandomness(), log: new SilentLog(), metrics: new Metrics() };
  let server: RedisServer;
  let admin: Redis;
  let database: TemporaryDatabase;
  const ends: (() => Promise<unknown>)[] = [];

  beforeAll(async () => {
    server = await RedisServer.open({ directory: await mkdtemp(join(tmpdir(), 'redis-')) });
    await server.start();
    admin = new Redis(server.url);
  });
  beforeEach(async () => {
    await admin.flushall();
    database = await TemporaryDatabase.create(postgresql!, 'deliveries');
  });
  afterEach(async () => {
    for (const end of ends.splice(0)) await end();
    await database.remove();
  });
  afterAll(async () => {
    admin.disconnect();
    await server.remove();
  });

  /** Dispatchers that have nothing in common but their engines, and the statements of each kind that they and the rest send. */
  const dispatchers = async (count: number) => {
    const eventStore = new SqliteEventStore({ path: ':memory:', clock: parts.clock });
    const [own, others] = [new Map<string, number>(), new Map<string, number>()];
    const projectionsOf = (statements: Map<string, number>): Projections => {
      const readModels = new CountedReadModels(openPostgresqlReadModels({ url: database.url, report: () => undefined }), statements);
      const projections = new Projections({ readModels, eventStore, ...parts, times: { beat: 50, takeOver: 5_000, watch: 20, retry: 20 } });
      ends.push(() => projections.close());
      return projections;
    };
    const open = (): Promise<JobQueue> => BullmqJobQueue.open({ url: server.url, ...parts });
    const queues = await Promise.all(Array.from({ length: count }, open));
    ends.push(() => Promise.all(queues.map((queue) => queue.close())));
    const unused = [...queues];
    const rig = await replicasFixture({
      platform: { eventStore, clock: new FixedClock(), projections: projectionsOf(others) },
      enginesOf: () => ({ jobQueue: unused.shift()!, projections: projectionsOf(own) }),
    });
    ends.unshift(() => rig.close());
    rig.start(count);
    return { rig, own, others };
  };

  const scripts = async (): Promise<number> => Number(/^cmdstat_evalsha:calls=(\d+)/mu.exec(await admin.info('commandstats'))?.[1] ?? 0);

  it.each([1, 2, 8])('cost the same on Redis and in SQL with %i dispatchers', async (count) => {
    const { rig, own, others } = await dispatchers(count);
    const endpoints = await Promise.all(Array.from({ length: ENDPOINTS }, () => rig.endpoint()));
    rig.share();
    const happen = async (events: number): Promise<void> => {
      const before = rig.receiver.received.length;
      await Promise.all(Array.from({ length: events }, (_, index) => rig.replicas[index % count]!.dispatch.fanOut.execute(rig.event())));
      await eventually(() => rig.receiver.received.length === before + events * ENDPOINTS, PATIENT);
      for (const endpointId of endpoints)
        await eventually(async () => {
          const { entries } = await rig.administration.listDeliveries.execute(rig.clientId, endpointId, { limit: 100 });
          return entries.every(({ state }) => state === 'succeeded') && entries.length === rig.receiver.received.length / ENDPOINTS;
        }, PATIENT);
    };
    await happen(1); // connections stand and scripts are loaded
    const [scriptsBefore, began] = [await scripts(), performance.now()];
    own.clear();
    others.clear();
    await happen(EVENTS);
    const seconds = (performance.now() - began) / 1_000;
    const sent = (await scripts()) - scriptsBefore;
    const sum = (statements: ReadonlyMap<string, number>, kind: RegExp): number =>
      [...statements].reduce((so, [statement, calls]) => so + (kind.test(statement) ? calls : 0), 0);
    const writes = sum(own, /^(Insert|Update|Delete) (?!projections)/u) + sum(others, /^(Insert|Update|Delete) (?!projections)/u);
    const reads = sum(own, /^Select (?!projections)/u);
    // Each partition has one worker, in any of the processes. The worker looks for stalled jobs on a timer, and its jobs are counted.
    expect(sent).toBeLessThanOrEqual(5 * DELIVERIES + PARTITIONS * (4 + Math.ceil(seconds)));
    // The delivery is added, its attempt and its outcome noted, and each of the two events moves the progress of its log.
    expect(writes).toBeLessThanOrEqual(5 * DELIVERIES);
    expect(reads).toBeLessThanOrEqual(4 * DELIVERIES);
  });
});
