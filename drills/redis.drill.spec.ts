import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { expectOk, pause, RelyingParty, Staff } from '../conformance/support/index.js';
import { BusTap } from './support/bus-tap.js';
import { busViolations, violations } from './support/checker.js';
import { type Distributed, startDistributed } from './support/distributed.js';
import { ExpiryQueue } from './support/expiry-queue.js';
import { beginAndForget } from './support/idle-sessions.js';
import { Journal } from './support/journal.js';
import { eventually } from './support/patience.js';
import { inTurns, type Known, recorded } from './support/recorded.js';
import { secrecyViolations } from './support/secrecy-checker.js';
import { SteadyLoad } from './support/steady-load.js';
import { StoreTap } from './support/store-tap.js';
import { WitnessedService } from './support/witness.js';

const NAME = 'redis';
const SESSIONS = 5_000;

/** Seconds: time enough to begin all sessions, and to lose Redis three times before the first one is due. */
const SESSION_TTL = 90;

/** How late a session may end, how soon jobs are back, and how soon they run again (reliability 4, drills 11 and 12); milliseconds. */
const LATEST = 60_000;
const BACK_WITHIN = 10_000;

/** Of session-api; and how many failed logins of one address a minute allows. */
const REPLICAS = 2;
const FAILURE_LIMIT = 30;

let distributed: Distributed;
let service: WitnessedService;
let staff: Staff;
let clients: RelyingParty[];
let queue: ExpiryQueue;
let store: StoreTap;
let bus: BusTap;
let load: SteadyLoad;

const journal = new Journal();
let idle: readonly Known[];

const redis = () => {
  const server = distributed.topology.redis;
  if (!server) throw new Error('Redis belongs to somebody else (REDIS_URL): it cannot be killed');
  return server;
};
const pending = (): Promise<number> => queue.pending();
const areBack = async (): Promise<boolean> => (await pending()) >= store.open(idle).length;

const took = async (work: () => Promise<unknown>): Promise<number> => {
  const began = performance.now();
  await work();
  return Math.round(performance.now() - began);
};

beforeAll(async () => {
  distributed = await startDistributed(NAME, { SESSION_TTL: String(SESSION_TTL), AUTHENTICATION_FAILURE_LIMIT: String(FAILURE_LIMIT) });
  const { settings } = distributed.topology;
  service = new WitnessedService(distributed.service);
  staff = new Staff(service);
  clients = await Promise.all(Array.from({ length: 8 }, () => RelyingParty.register(service)));
  queue = new ExpiryQueue(settings['REDIS_URL']!);
  bus = new BusTap(settings['KAFKA_BROKERS']!.split(','));
  store = await StoreTap.open(settings['ESDB_URL']!);
  load = new SteadyLoad(journal);
});

afterAll(async () => {
  await load?.stop();
  await store?.close();
  await queue?.close();
  await distributed?.topology.stop();
});

describe(`given ${SESSIONS} sessions that nobody asks about, and users who log in all the while`, () => {
  it('has a job for each', async () => {
    for (const client of clients.slice(0, 2)) load.add(client, await staff.newPhone());
    const ms = await took(async () => (idle = await beginAndForget(clients, SESSIONS, journal)));
    await eventually('each has its job', LATEST, areBack);
    console.log(`${SESSIONS} sessions in ${ms} ms`);
    expect(store.open(idle)).toHaveLength(SESSIONS);
    expect(await pending()).toBeGreaterThanOrEqual(SESSIONS);
  }, 240_000);

  it('has the jobs back within 60 s of FLUSHALL', async () => {
    await queue.flushAll();
    expect(await pending()).toBeLessThan(SESSIONS);
    const ms = await took(() => eventually('the jobs are back', LATEST, areBack));
    console.log(`jobs back ${ms} ms after FLUSHALL`);
  });

  it('has the jobs as soon as Redis is back after kill -9: it wrote them to its file', async () => {
    await pause(1_100); // Redis does so each second
    await redis().kill();
    await pause(1_000);
    const ms = await took(() => redis().start());
    expect(await areBack()).toBe(true);
    console.log(`jobs run again ${ms + (await queue.probe(BACK_WITHIN))} ms after the start of Redis`);
  });

  it('goes on with an empty Redis after kill -9 and the loss of its file', async () => {
    await redis().kill();
    await redis().wipe();
    await pause(1_000);
    const ms = await took(() => redis().start());
    expect(await pending()).toBeLessThan(SESSIONS);
    console.log(`jobs run again ${ms + (await queue.probe(BACK_WITHIN))} ms after the start of Redis, which was empty`);
  });

  it('ends every one of them, once, within 60 s of its time', async () => {
    await eventually('all have ended', SESSION_TTL * 1_000 + LATEST, () => store.open(idle).length === 0);
    const lateness = store.lateness(idle);
    console.log(`ends after their time: median ${lateness[lateness.length >> 1]} ms, latest ${lateness.at(-1)} ms`);
    expect(lateness).toHaveLength(SESSIONS);
    expect(lateness[0]).toBeGreaterThanOrEqual(-5);
    expect(lateness.at(-1)).toBeLessThan(LATEST);
  }, 240_000);

  it('has answered every request meanwhile', async () => {
    await load.stop();
    expect(load.logins).toBeGreaterThan(20);
    expect([...load.refusals, ...service.failures]).toEqual([]);
  });

  it('leaves a history with which the checker agrees: I1, I2, I3, I4 and I7', async () => {
    const logins = await recorded(
      staff,
      load.attempts.flatMap(({ client, login }) => (login ? [{ client, sessionId: login.sessionId }] : [])),
    );
    const sessions = new Map([...store.recorded(idle), ...logins]);
    expect(violations(journal, sessions)).toEqual([]);
    const types = new Set(idle.map(({ sessionId }) => sessions.get(sessionId)!.events.map(({ type }) => type).join()));
    expect([...types]).toEqual(['SessionCreated,SessionExpired']);
    await inTurns(idle.slice(-100), async ({ client, sessionId }) => expect(await client.statusOf({ sessionId })).toBe('EXPIRED'));
    let found: readonly string[] = [];
    await eventually('the bus tells it all', 30_000, async () => (found = busViolations(sessions, await bus.read())).length === 0).catch(() => undefined);
    expect(found).toEqual([]);
  }, 180_000);
});

describe('failed logins', () => {
  /** Answers to so many tries with wrong credentials, counted by status. */
  const guess = async (count: number): Promise<Record<number, number>> => {
    const answers: Record<number, number> = {};
    const tries = Array.from({ length: count }, () => service.send({ method: 'GET', path: '/relying-party/v1/session/x/status', headers: { authorization: 'Basic eDp4' } }));
    for (const { status } of await Promise.all(tries)) answers[status] = (answers[status] ?? 0) + 1;
    return answers;
  };

  it('are throttled over all replicas, and by each while Redis is stopped; right credentials never are', async () => {
    expect(await guess(100)).toEqual({ 401: FAILURE_LIMIT, 429: 100 - FAILURE_LIMIT });
    expectOk(await clients[0]!.post());
    await redis().stop();
    const answers = await guess(200);
    console.log(`without Redis: ${JSON.stringify(answers)}`);
    expect(answers[401]! + answers[429]!).toBe(200);
    expect(answers[401]).toBeLessThanOrEqual(REPLICAS * FAILURE_LIMIT);
    expectOk(await clients[0]!.post());
    await redis().start();
  });
});

describe('afterwards', () => {
  it('no secret is in a log, the store, Kafka or Redis: I8', async () => {
    const records = await bus.read();
    await store.close();
    await distributed.topology.stop();
    expect(secrecyViolations(NAME, records)).toEqual([]);
  });
});
