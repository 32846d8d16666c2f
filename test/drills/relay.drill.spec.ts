import { readFileSync } from 'node:fs';

import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';

import { eventually } from '#testkit/kernel/eventually';

import { SigningClient, pause, type Phone, type RelyingParty, type Signing } from '../support/index.js';
import type { ServiceProcess } from '../../testkit/processes/service-process.ts';
import { BusTap } from './support/bus-tap.js';
import { busViolations, type StoredSession } from './support/checker.js';
import type { History } from './support/history.js';
import { metric } from './support/metric.js';
import { Rig } from './support/rig.js';
import { Endpoint } from './support/webhook-endpoint.js';
import { WebhookReceiver } from './support/webhook-receiver.js';

const KILLS = 20;
/** Short, so that the lease moves soon; the drills do not depend on its length. Seconds. */
const LEASE = 2;
/** The life of push sessions. No request touches them, so only the timer can end them. Seconds. */
const PUSH_TTL = 8;
/** How long the only broker is down (specification/reliability.md#drill-6). Milliseconds. */
const OUTAGE = 20_000;
/** All waiting work is done within this time. Milliseconds. */
const TIME_LIMIT = 90_000;

let rig: Rig;
let receiver: WebhookReceiver;
/** The client of the webhook endpoint: every other user logs in to it. */
let client: RelyingParty;
let signingClient: SigningClient;
let signer: Phone;

beforeAll(async () => {
  const settings = { RELAY_LEASE: String(LEASE), PUSH_SESSION_TTL: String(PUSH_TTL), SIGNING_BUILD_TTL: '180', RESULT_RETENTION: '3600' };
  const replicated = ['event-relay', 'signing', 'webhook-dispatcher', 'timers'] as const;
  rig = await Rig.start('relay', { settings, kills: ['KAFKA_BROKERS'], replicated, users: 2 });
  [client] = rig.clients as [RelyingParty];
  receiver = await WebhookReceiver.open();
  await Endpoint.add(rig.staff, client, { name: 'takes everything', receiver });
  signingClient = await SigningClient.register(rig.service);
  signer = await rig.staff.newPhone();
});

afterAll(async () => {
  receiver?.close();
  await rig?.stop();
});

const relays = (): readonly ServiceProcess[] => rig.topology.of('event-relay');

/** The relay that holds the lease, as soon as one does. */
const active = async (among = relays()): Promise<ServiceProcess> => {
  let holder: ServiceProcess | undefined;
  await eventually(
    async () => {
      for (const relay of among) if ((await metric(relay, 'event_relay_active')) === 1) holder = relay;
      return holder !== undefined;
    },
    { what: 'a relay holds the lease', within: TIME_LIMIT },
  );
  return holder!;
};

const consumersHaveCaughtUp = (): Promise<void> =>
  eventually(
    async () => {
      const backlogs = await rig.tap.backlogs();
      return backlogs.size >= GROUPS && [...backlogs.values()].every((records) => records === 0);
    },
    { what: 'all consumers have caught up', within: TIME_LIMIT },
  );
/** Signing, webhooks, timers, statuses. */
const GROUPS = 4;

const ENDS: Readonly<Record<string, string>> = { COMPLETED: 'session.completed', CANCELLED: 'session.cancelled', EXPIRED: 'session.expired' };

/** The ends of a history's sessions that the receiver got no message about, and those that it got more messages about than allowed, or under two ids. */
const webhookViolations = ({ sessions, stored }: History, most: number): string[] => {
  const told = Map.groupBy(receiver.received, ({ sessionId, type }) => `${type} of ${sessionId}`);
  const ours = new Set(sessions.flatMap(({ client: owner, sessionId }) => (owner === client ? [sessionId] : [])));
  const missing = [...stored.values()].flatMap(({ sessionId, status }) => {
    const end = `${ENDS[status]} of ${sessionId}`;
    return ours.has(sessionId) && status in ENDS && !told.has(end) ? [`no message: ${end}`] : [];
  });
  const repeated = [...told].flatMap(([name, messages]) => {
    const ids = new Set(messages.map(({ id }) => id)).size;
    return ids > 1 || messages.length > most ? [`${name}: ${messages.length} calls, ${ids} ids`] : [];
  });
  return [...missing, ...repeated];
};

const expectNoViolation = async (history: History, calls = 1): Promise<void> => {
  await history.load.stop();
  expect(await history.violations()).toEqual([]);
  await consumersHaveCaughtUp();
  await eventually(async () => webhookViolations(history, Infinity).length === 0, { what: 'all webhooks are there', within: TIME_LIMIT });
  expect(webhookViolations(history, calls)).toEqual([]);
};

/** After a failed drill the next one finds running brokers and no users. */
afterEach(async () => {
  await rig?.topology.kafka?.start();
  await rig?.quiet();
});

describe('kill -9 of the active relay', () => {
  it(`${KILLS} times at random moments under load: nothing is missing on the topic, nothing out of order`, async () => {
    const history = rig.underLoad();
    const takeovers: number[] = [];
    for (let kill = 0; kill < KILLS; kill++) {
      const victim = await active();
      await pause(Math.random() * 700);
      await victim.kill();
      const killed = performance.now();
      // The standby takes over, or the restarted relay if it is quicker.
      await Promise.all([victim.start(), active().then(() => takeovers.push(Math.round(performance.now() - killed)))]);
    }
    await expectNoViolation(history);
    const records = await rig.tap.read();
    const repeated = records.length - new Set(records.map(({ id }) => id)).size;
    console.log(
      `${history.load.logins} logins, ${records.length} records, ${repeated} of them repetitions; taken over after ${takeovers.sort((a, b) => a - b).join(', ')} ms`,
    );
    expect(history.load.failures).toEqual([]);
  });
});

describe('two relays', () => {
  it('when the active one is frozen until the other has the lease and then resumed: it stops, no event is missing, and no consumer acts twice', async () => {
    const history = rig.underLoad();
    // Several times, so that it is frozen idle, in the middle of a publication, and before it moves the checkpoint.
    for (let round = 0; round < 4; round++) {
      const old = await active();
      const told = linesOf(old, 'another relay has taken over');
      await pause(Math.random() * 400);
      old.freeze();
      const successor = await active(relays().filter((relay) => relay !== old));
      await pause(1_000);
      old.resume();
      await eventually(async () => linesOf(old, 'another relay has taken over') > told && (await metric(old, 'event_relay_active')) === 0, {
        what: 'the old one stops',
        within: TIME_LIMIT,
      });
      expect(await active()).toBe(successor);
    }
    await expectNoViolation(history);
    console.log(`${history.load.logins} logins`);
    expect(history.load.failures).toEqual([]);
  });
});

const linesOf = ({ log }: ServiceProcess, text: string): number => readFileSync(log, 'utf8').split(text).length - 1;

/** Work for every consumer: a login's session ends by itself, and a document waits to be signed. */
const workForAll = async (): Promise<{ readonly expiring: string; readonly signing: Signing }> => {
  const subject = await client.subjectOf(signer);
  const { sessionId } = await client.login({ push: true, subject_id: subject });
  return { expiring: sessionId, signing: await signingClient.confirmed(signer) };
};

const typesOf = async (sessionId: string): Promise<string[]> =>
  ((await rig.staff.timeline(sessionId)).json!['events'] as StoredSession['events']).map(({ type }) => type);

const since = (moment: number): number => Math.round(performance.now() - moment);

let done: { readonly expiring: string; readonly signing: Signing; readonly container: unknown };

describe('the only broker', () => {
  it('killed for 20 s under load: every login succeeds meanwhile, and all waiting work is done afterwards', async () => {
    const history = rig.underLoad();
    await pause(1_000);
    await rig.topology.kafka!.kill();
    const killed = performance.now();
    const before = history.load.logins;
    const work = await workForAll();
    await pause(Math.max(0, OUTAGE - since(killed)));
    const meanwhile = history.load.logins - before;
    expect(await signingClient.client.statusOf(work.signing)).not.toBe('COMPLETED');
    // The timer looks into the store, too, every 30 seconds.
    const expiredWithout = (await typesOf(work.expiring)).includes('SessionExpired');
    const lag = Math.max(...(await Promise.all(relays().map(async (relay) => (await metric(relay, 'event_relay_lag_seconds')) ?? 0))));

    await rig.topology.kafka!.start();
    const back = performance.now();
    const times: Record<string, number> = {};
    await Promise.all([
      eventually(async () => (await signingClient.client.statusOf(work.signing)) === 'COMPLETED', {
        what: 'the signature is made',
        within: TIME_LIMIT,
      }).then(() => (times['signed'] = since(back))),
      eventually(async () => (await typesOf(work.expiring)).includes('SessionExpired'), { what: 'the session ends', within: TIME_LIMIT }).then(
        () => (times['expired'] = since(back)),
      ),
      eventually(async () => ((await metric(await active(), 'event_relay_lag_seconds')) ?? 1) < 1, {
        what: 'the relay has caught up',
        within: TIME_LIMIT,
      }).then(() => (times['drained'] = since(back))),
    ]);
    await history.load.stop();
    console.log(
      `${meanwhile} logins without a broker, the relay ${Math.round(lag)} s behind, ${expiredWithout ? 'a' : 'no'} session ended by the timer; after its return, in ms: ${JSON.stringify(times)}`,
    );
    expect(meanwhile).toBeGreaterThan(0);
    expect(lag).toBeGreaterThan(10);
    expect(history.load.failures).toEqual([]);
    history.others.push({ client, sessionId: work.expiring }, { client: signingClient.client, sessionId: work.signing.sessionId });
    await expectNoViolation(history);
    done = { ...work, container: (await signingClient.client.result(work.signing)).json!['container'] };
  });

  it('back without its disk: the topic is filled again from the beginning, and no consumer acts twice', async () => {
    const before = new Map([...rig.histories].flatMap(({ stored }) => [...stored]));
    const refills = async (): Promise<number> =>
      (await Promise.all(relays().map(async (relay) => (await metric(relay, 'event_relay_refills_total')) ?? 0))).reduce((sum, one) => sum + one, 0);
    const filledBefore = await refills();
    await rig.tap.keep();
    const history = rig.underLoad();
    await rig.topology.kafka!.kill();
    await rig.topology.kafka!.wipe();
    await rig.topology.kafka!.start();
    const back = performance.now();
    await eventually(async () => (await refills()) > filledBefore, { what: 'the loss of the topic is seen', within: TIME_LIMIT });
    const refilling = since(back);
    await pause(3_000);
    await history.load.stop();
    expect(history.load.failures).toEqual([]);
    const onNewTopic = new BusTap(rig.topology.kafka!.brokers);
    await eventually(async () => busViolations(before, await onNewTopic.read()).length === 0, {
      what: 'the whole history is on the new topic',
      within: TIME_LIMIT,
    });
    console.log(`refilling began ${refilling} ms after the return, ${before.size} sessions were there again after ${since(back)} ms`);
    await expectNoViolation(history, 2);
    console.log(`all consumers had caught up ${since(back)} ms after the return`);

    for (const old of rig.histories) expect(webhookViolations(old, 2)).toEqual([]);
    expect((await signingClient.client.result(done.signing)).json!['container']).toBe(done.container);
    expect((await typesOf(done.signing.sessionId)).filter((type) => type === 'SessionCompleted')).toHaveLength(1);
    expect((await typesOf(done.expiring)).filter((type) => type === 'SessionExpired')).toHaveLength(1);
    // A repetition on the new topic has the same body as on the old one.
    expect(busViolations(before, await rig.tap.read())).toEqual([]);
  });
});

describe('after all of it', () => {
  it("no client sees another's sessions, and no secret is in a log, the store, Kafka or Redis", async () => {
    expect(await rig.secrecyViolations()).toEqual([]);
  });
});
