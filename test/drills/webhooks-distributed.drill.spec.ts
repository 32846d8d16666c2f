import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { eventually } from '#testkit/kernel/eventually';

import { expectOk, SigningClient, pause } from '../support/index.js';
import type { ServiceProcess } from '../../testkit/processes/service-process.ts';
import { WebhookRig } from './support/webhook-rig.js';

/** Seconds that a pushed session lives: the one that is not scanned. */
const PUSH_LIFE = 4;
const TIME_LIMIT = 120_000;
/** Milliseconds. */
const BETWEEN_KILLS = 1_500;
/** Drill 9, for half a minute: more changes would show nothing new, and the drill `consumers` makes such changes for a minute over three groups. */
const CHANGE_EVERY = 3_000;
const COMING_AND_GOING = 30_000;

let rig: WebhookRig;

beforeAll(async () => {
  const settings = { SESSION_TTL: '600', PUSH_SESSION_TTL: String(PUSH_LIFE), IDLE_GRACE: '0' };
  rig = await WebhookRig.start('webhooks-distributed', settings, { replicated: ['webhook-dispatcher'] });
});

afterAll(() => rig?.stop());

describe('every transition of a session', () => {
  /** The statuses that polling shows after each step, PENDING aside. */
  const steps: Readonly<Record<string, () => Promise<readonly [string, readonly string[]]>>> = {
    login: async () => {
      const [phone] = rig.phones;
      const login = await rig.client.login();
      const seen: string[] = [];
      expectOk(await phone!.scan(login.sessionId));
      seen.push(await rig.client.statusOf(login, 'SCANNED'));
      expectOk(await phone!.confirm(login.sessionId));
      seen.push(await rig.client.statusOf(login, 'CONFIRMED'));
      expectOk(await rig.client.complete(login));
      seen.push(await rig.client.statusOf(login, 'COMPLETED'));
      return [login.sessionId, seen];
    },
    decline: async () => {
      const [phone] = rig.phones;
      const login = await rig.client.scanned(phone!);
      const seen = [await rig.client.statusOf(login, 'SCANNED')];
      expectOk(await phone!.decline(login.sessionId));
      return [login.sessionId, [...seen, await rig.client.statusOf(login, 'CANCELLED')]];
    },
    'cancellation by the client': async () => {
      const login = await rig.client.login();
      expect((await rig.client.cancel(login)).status).toBe(204);
      return [login.sessionId, [await rig.client.statusOf(login, 'CANCELLED')]];
    },
    // No request is made before its webhook has come, so the timer has to end it.
    expiry: async () => {
      const login = await rig.client.login({ push: true, subject_id: await rig.client.subjectOf(rig.phones[1]!) });
      await eventually(() => received(login.sessionId).length > 0, { what: 'the webhook of an expiry', within: PUSH_LIFE * 1_000 + TIME_LIMIT });
      return [login.sessionId, [await rig.client.statusOf(login, 'EXPIRED')]];
    },
    signature: async () => {
      const signingClient = SigningClient.of(rig.client);
      const signing = await signingClient.scanned(rig.phones[2]!);
      const seen = [await rig.client.statusOf(signing, 'SCANNED')];
      expectOk(await rig.phones[2]!.confirm(signing.sessionId));
      return [signing.sessionId, [...seen, await signingClient.settled(signing)]];
    },
  };
  const received = (sessionId: string) => rig.endpoints[0]!.receiver.received.filter((message) => message.sessionId === sessionId);

  it.each(Object.keys(steps))('%s: the webhooks report the statuses of polling, in the order of their sequence numbers', async (name) => {
    const [sessionId, shown] = await steps[name]!();
    await eventually(() => received(sessionId).length >= shown.length, { what: 'the webhooks', within: TIME_LIMIT });
    expect(received(sessionId).map(({ status }) => status)).toEqual(shown);
    expect(received(sessionId).map(({ type }) => type)).toEqual(shown.map((status) => `session.${status.toLowerCase()}`));
    const sequences = received(sessionId).map(({ sequence }) => sequence);
    expect(sequences).toEqual(sequences.toSorted((a, b) => a - b));
  });
});

describe('kill -9 of dispatchers under load', () => {
  it('of each, and of both: every delivery ends in exactly one state, and every login succeeds', async () => {
    const kill = async (killed: readonly ServiceProcess[]): Promise<void> => {
      await pause(BETWEEN_KILLS);
      await Promise.all(killed.map((replica) => replica.kill()));
      await pause(BETWEEN_KILLS);
      await Promise.all(killed.map((replica) => replica.start()));
    };
    const [one, other] = rig.dispatchers;
    const violations = await rig.underLoad(async () => {
      for (const killed of [[one!], [other!], [one!, other!]]) await kill(killed);
    });
    expect([...violations, ...(await rig.webhookViolations())]).toEqual([]);
    console.log(`${rig.sessions.length} sessions, ${rig.messages} messages`);
  });
});

describe('dispatchers that stop and start', () => {
  /** Every 3 s starts a stopped dispatcher or stops a running one, and leaves alone those that are still starting or stopping. Answers how often. */
  const comeAndGo = async (): Promise<number> => {
    const replicas = rig.dispatchers.map((replica) => ({ replica, runs: true, isOnItsWay: false }));
    const ways: Promise<void>[] = [];
    for (const end = performance.now() + COMING_AND_GOING; performance.now() < end; await pause(CHANGE_EVERY)) {
      // The one that was not touched for longest.
      replicas.push(replicas.shift()!);
      const next = replicas.find(({ isOnItsWay }) => !isOnItsWay);
      if (!next) continue;
      next.isOnItsWay = true;
      next.runs = !next.runs;
      ways.push((next.runs ? next.replica.start() : next.replica.stop()).finally(() => (next.isOnItsWay = false)));
    }
    await Promise.all(ways);
    await Promise.all(replicas.filter(({ runs }) => !runs).map(({ replica }) => replica.start()));
    return ways.length;
  };

  it('one is stopped or started every 3 s: webhooks continue, and none is lost', async () => {
    const before = rig.messages;
    let changes = 0;
    let meanwhile = 0;
    const violations = await rig.underLoad(async () => {
      changes = await comeAndGo();
      meanwhile = rig.messages - before;
    });
    expect([...violations, ...(await rig.webhookViolations())]).toEqual([]);
    expect(meanwhile).toBeGreaterThan(0);
    console.log(`${changes} changes, ${meanwhile} messages meanwhile; ${rig.sessions.length} sessions, ${rig.messages} messages in all`);
  });
});
