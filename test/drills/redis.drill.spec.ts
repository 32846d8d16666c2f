import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';

import { eventually } from '#testkit/kernel/eventually';

import { expectOk, pause, RelyingParty, Staff } from '../support/index.js';
import { BusTap } from './support/bus-tap.js';
import { busViolations, violations } from './support/checker.js';
import { type Distributed, startDistributed } from './support/distributed.js';
import { abandonLogins } from './support/abandoned-logins.js';
import { Journal } from './support/journal.js';
import { inTurns, type KnownSession, storedSessions } from './support/stored-sessions.js';
import { secrecyViolations } from './support/secrecy-checker.js';
import { SteadyLoad } from './support/steady-load.js';
import { StoreTap } from './support/store-tap.js';
import { FailureRecordingService } from './support/failure-recording-service.js';

const NAME = 'redis';
const SESSIONS = 5_000;

/** Seconds: time enough to begin all sessions, and to lose Redis three times before the first one is due. */
const SESSION_TTL = 90;

/** How late a session may end (specification/reliability.md#drill-12), milliseconds. The timers of sessions need no Redis. */
const LATEST = 60_000;

/** Of session-api; and how many failed logins of one address a minute allows. */
const REPLICAS = 2;
const FAILURE_LIMIT = 30;

let distributed: Distributed;
let service: FailureRecordingService;
let staff: Staff;
let clients: RelyingParty[];
let store: StoreTap;
let bus: BusTap;
let load: SteadyLoad;

const journal = new Journal();
let idle: readonly KnownSession[];

const redis = () => distributed.topology.redis!;

const took = async (work: () => Promise<unknown>): Promise<number> => {
  const began = performance.now();
  await work();
  return Math.round(performance.now() - began);
};

beforeAll(async () => {
  distributed = await startDistributed(
    NAME,
    { SESSION_TTL: String(SESSION_TTL), AUTHENTICATION_FAILURE_LIMIT: String(FAILURE_LIMIT) },
    { kills: ['REDIS_URL'], replicated: ['session-api', 'timers'] },
  );
  const { settings } = distributed.topology;
  service = new FailureRecordingService(distributed.service);
  staff = new Staff(service);
  clients = await Promise.all(Array.from({ length: 8 }, () => RelyingParty.register(service)));
  bus = new BusTap(settings['KAFKA_BROKERS']!.split(','));
  store = await StoreTap.open(settings['ESDB_URL']!);
  load = new SteadyLoad(journal);
});

afterAll(async () => {
  await load?.stop();
  await store?.close();
  await distributed?.topology.kill();
});

describe(`given ${SESSIONS} sessions that no request touches, and users who keep logging in`, () => {
  it('goes on over FLUSHALL, kill -9 and a start with its file, and kill -9 and the loss of its file', async () => {
    for (const client of clients.slice(0, 2)) load.add(client, await staff.newPhone());
    const ms = await took(async () => (idle = await abandonLogins(clients, SESSIONS, journal)));
    console.log(`${SESSIONS} sessions in ${ms} ms`);
    const connection = new Redis(distributed.topology.settings['REDIS_URL']!);
    await connection.flushall();
    connection.disconnect();
    await redis().kill();
    await pause(1_000);
    await redis().start();
    await redis().kill();
    await redis().wipe();
    await pause(1_000);
    await redis().start();
    expect(store.open(idle)).toHaveLength(SESSIONS);
  });

  it('ends every session once, within 60 s of its deadline', async () => {
    await eventually(() => store.open(idle).length === 0, { what: 'all have ended', within: SESSION_TTL * 1_000 + LATEST });
    const lateness = store.lateness(idle);
    console.log(`ends after their time: median ${lateness[lateness.length >> 1]} ms, latest ${lateness.at(-1)} ms`);
    expect(lateness).toHaveLength(SESSIONS);
    expect(lateness[0]).toBeGreaterThanOrEqual(-5);
    expect(lateness.at(-1)).toBeLessThan(LATEST);
  });

  it('has answered every request meanwhile', async () => {
    await load.stop();
    expect(load.logins).toBeGreaterThan(20);
    expect([...load.refusals, ...service.failures]).toEqual([]);
  });

  it('leaves a history without violations of I1, I2, I3, I4 and I7', async () => {
    const logins = await storedSessions(
      staff,
      load.attempts.flatMap(({ client, login }) => (login ? [{ client, sessionId: login.sessionId }] : [])),
    );
    const sessions = new Map([...store.storedSessions(idle), ...logins]);
    expect(violations(journal, sessions)).toEqual([]);
    const types = new Set(
      idle.map(({ sessionId }) =>
        sessions
          .get(sessionId)!
          .events.map(({ type }) => type)
          .join(),
      ),
    );
    expect([...types]).toEqual(['SessionCreated,SessionExpired']);
    await inTurns(idle.slice(-100), async ({ client, sessionId }) => expect(await client.statusOf({ sessionId })).toBe('EXPIRED'));
    let found: readonly string[] = [];
    await eventually(async () => (found = busViolations(sessions, await bus.read())).length === 0, {
      what: 'all stored events are on the bus',
      within: 120_000,
    }).catch(() => undefined);
    expect(found).toEqual([]);
  });
});

describe('failed logins', () => {
  /** Answers to so many tries with wrong credentials, each a 401: how many are within the limit, and how many say when to come back. */
  const guess = async (count: number): Promise<{ within: number; beyond: number }> => {
    const answers = { within: 0, beyond: 0 };
    const tries = Array.from({ length: count }, () =>
      service.send({ method: 'GET', path: '/relying-party/v1/session/x/status', headers: { authorization: 'Basic eDp4' } }),
    );
    for (const { status, headers } of await Promise.all(tries)) {
      expect(status).toBe(401);
      answers[headers['retry-after'] === undefined ? 'within' : 'beyond'] += 1;
    }
    return answers;
  };

  it('are counted over all replicas, and by each while Redis is stopped; right credentials never are', async () => {
    expect(await guess(100)).toEqual({ within: FAILURE_LIMIT, beyond: 100 - FAILURE_LIMIT });
    expectOk(await clients[0]!.post());
    await redis().stop();
    const answers = await guess(200);
    console.log(`without Redis: ${JSON.stringify(answers)}`);
    expect(answers.within + answers.beyond).toBe(200);
    expect(answers.within).toBeLessThanOrEqual(REPLICAS * FAILURE_LIMIT);
    expectOk(await clients[0]!.post());
    await redis().start();
  });
});

describe('afterwards', () => {
  it('no secret is in a log, the store, Kafka or Redis: I8', async () => {
    const records = await bus.read();
    await store.close();
    await distributed.topology.kill();
    expect(secrecyViolations(NAME, records)).toEqual([]);
  });
});
