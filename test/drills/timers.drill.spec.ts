import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { eventually } from '#testkit/kernel/eventually';

import { RelyingParty } from '../support/index.js';
import { counted } from './support/consumer-groups.js';
import { type Distributed, startDistributed } from './support/distributed.js';
import type { KnownSession } from './support/stored-sessions.js';
import { StoreTap } from './support/store-tap.js';

/** Seconds. */
const SESSION_TTL = 15;
const SESSIONS = 40;
/**
 * Milliseconds in which the other replica ends the sessions of one that was killed or frozen: Kafka's session timeout of ten seconds, the rebalance, and the time of a
 * busy machine.
 */
const TAKE_OVER = 45_000;

let distributed: Distributed;
let client: RelyingParty;
let store: StoreTap;

const owners = () => distributed.topology.of('timers');

/** How many sessions a replica has ended. */
const endedBy = (replica: ReturnType<typeof owners>[number]): Promise<number> => counted([replica], 'session_timers_total', 'kind="deadline"');

/** Sessions that no request touches any more. */
const begin = async (count: number): Promise<readonly KnownSession[]> => {
  const sessions: KnownSession[] = [];
  for (let number = 0; number < count; number++) sessions.push({ client, sessionId: (await client.login()).sessionId });
  return sessions;
};

/** Waits for the ends of all. Answers how late the last one came, in milliseconds. */
const untilEnded = async (sessions: readonly KnownSession[]): Promise<number> => {
  await eventually(() => store.open(sessions).length === 0, { what: 'all sessions have ended', within: SESSION_TTL * 1_000 + 2 * TAKE_OVER });
  return store.lateness(sessions).at(-1)!;
};

/** Waits until the first of the sessions has ended: those begun after it are due in this moment. */
const untilFirstEnd = (sessions: readonly KnownSession[]): Promise<void> =>
  eventually(() => store.open(sessions).length < sessions.length, { what: 'sessions begin to end', within: SESSION_TTL * 1_000 + TAKE_OVER });

const expectOneEndEach = (sessions: readonly KnownSession[]): void => {
  const histories = sessions.map(({ sessionId }) => store.sessions.get(sessionId)?.events.map(({ type }) => type));
  expect(histories).toEqual(sessions.map(() => ['SessionCreated', 'SessionExpired']));
};

beforeAll(async () => {
  distributed = await startDistributed('timers', { SESSION_TTL: String(SESSION_TTL) }, { replicated: ['timers'] });
  client = await RelyingParty.register(distributed.service);
  store = await StoreTap.open(distributed.topology.settings['ESDB_URL']!);
});

afterAll(async () => {
  await store?.close();
  await distributed?.topology.kill();
});

describe('two replicas of the timers, which share the partitions', () => {
  it('both end sessions', async () => {
    expect(owners()).toHaveLength(2);
    const sessions = await begin(SESSIONS);
    await untilEnded(sessions);
    expectOneEndEach(sessions);
    for (const owner of owners()) expect(await endedBy(owner)).toBeGreaterThan(0);
  });

  it('end each session once and in time when one is killed as its sessions become due', async () => {
    const [killed, other] = owners();
    const sessions = await begin(SESSIONS);
    await untilFirstEnd(sessions);
    await killed!.kill();
    const before = await endedBy(other!);
    expect(await untilEnded(sessions)).toBeLessThan(TAKE_OVER);
    expectOneEndEach(sessions);
    expect(await endedBy(other!)).toBeGreaterThan(before);
    await killed!.start();
  });

  it('end each session once and in time when one is frozen as its sessions become due, and goes on later', async () => {
    const [, frozen] = owners();
    const sessions = await begin(SESSIONS);
    await untilFirstEnd(sessions);
    frozen!.freeze();
    try {
      expect(await untilEnded(sessions)).toBeLessThan(TAKE_OVER);
    } finally {
      frozen!.resume();
    }
    // It goes on with what it held as due, and joins again.
    const later = await begin(SESSIONS);
    expect(await untilEnded(later)).toBeLessThan(TAKE_OVER);
    expectOneEndEach([...sessions, ...later]);
  });
});
