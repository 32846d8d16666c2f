import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { eventually } from '#testkit/kernel/eventually';

import { SigningClient, RelyingParty, Staff } from '../support/index.js';
import { services as allServices } from '../../testkit/topologies/services.ts';
import { BusTap } from './support/bus-tap.js';
import { busViolations, type StoredSession, violations } from './support/checker.js';
import { type Distributed, startDistributed } from './support/distributed.js';
import { LongPolls } from './support/long-polls.js';
import { AbandonedLogins } from './support/abandoned-logins.js';
import { Journal } from './support/journal.js';
import { inTurns, storedSessions } from './support/stored-sessions.js';
import { secrecyViolations } from './support/secrecy-checker.js';
import { SigningJudge } from './support/signing-judge.js';
import { SteadySigning } from './support/signing-load.js';
import { StalledJobs } from './support/stalled-jobs.js';
import { LONGEST_THOUGHT_OF_SEVERAL, SteadyLoad } from './support/steady-load.js';
import { StoreTap } from './support/store-tap.js';
import { deliveryViolations, messagesRequiredBy } from './support/webhook-checker.js';
import { Endpoint } from './support/webhook-endpoint.js';
import { type Behave, WebhookReceiver } from './support/webhook-receiver.js';
import { FailureRecordingService } from './support/failure-recording-service.js';

const NAME = 'sigterm';

/** The portal does not run here: it ends like the other services with an API. */
const services = allServices.filter(({ ofPortal }) => !ofPortal);

/** Of the sessions that no request touches; short, so that there are always some to end. Seconds. */
const PUSH_TTL = 15;
/** Long enough for a login on a busy machine. Seconds. */
const SESSION_TTL = 300;

/** People who log in one time after the other; one more signs, and two more wait for a login on their phones. */
const USERS = 2;
/** Requests that are held for clients, and as many for browsers: enough that each of two replicas usually holds some when it must end. */
const HELD = 4;
/** Logins that end before each signal: requests reach both replicas of a service when one of them has to end. */
const LOGINS_BEFORE = 1;
/** Milliseconds between two logins that no request touches. */
const ABANDON_EVERY = 3_000;

/** The time that the compose file and Kubernetes allow before they kill, in milliseconds. */
const GRACE = 20_000;

let distributed: Distributed;
let service: FailureRecordingService;
let staff: Staff;
let client: RelyingParty;
let load: SteadyLoad;
let signing: SteadySigning;
let held: LongPolls;
let forgetful: AbandonedLogins;
let stalled: StalledJobs;
let store: StoreTap;
let bus: BusTap;
let receiver: WebhookReceiver;
let endpoint: Endpoint;

const journal = new Journal();

/** Milliseconds; so that there are always attempts in hand. */
const THINKS = 300;

const takesItsTime: Behave = ({ response }) => {
  setTimeout(() => response.writeHead(204).end(), THINKS);
  return true;
};

beforeAll(async () => {
  distributed = await startDistributed(NAME, { SESSION_TTL: String(SESSION_TTL), PUSH_SESSION_TTL: String(PUSH_TTL) });
  const { settings } = distributed.topology;
  service = new FailureRecordingService(distributed.service);
  staff = new Staff(service);
  client = await RelyingParty.register(service);
  const signingClient = await SigningClient.register(service);
  const phones = await Promise.all(Array.from({ length: USERS + 3 }, () => staff.newPhone()));
  store = await StoreTap.open(settings['ESDB_URL']!);
  bus = new BusTap(settings['KAFKA_BROKERS']!.split(','));
  stalled = await StalledJobs.watch(settings['REDIS_URL']!);
  receiver = await WebhookReceiver.open({ behave: takesItsTime });
  endpoint = await Endpoint.add(staff, client, { name: 'receiver', receiver });

  load = new SteadyLoad(journal, LONGEST_THOUGHT_OF_SEVERAL);
  for (const phone of phones.slice(0, USERS)) load.add(client, phone);
  signing = new SteadySigning(LONGEST_THOUGHT_OF_SEVERAL);
  signing.add(signingClient, phones[USERS]!);
  held = new LongPolls();
  for (let i = 0; i < HELD; i++) held.forClient(client);
  for (let i = 0; i < HELD; i++) held.forBrowser(client);
  for (const phone of phones.slice(USERS + 1)) held.forPhone(phone);
  forgetful = new AbandonedLogins(client, await client.subjectOf(await staff.newPhone()), journal, ABANDON_EVERY);
});

afterAll(async () => {
  await Promise.all([load?.stop(), signing?.stop(), held?.stop(), forgetful?.stop()]);
  receiver?.close();
  await stalled?.close();
  await store?.close();
  await distributed?.topology.stop();
});

/** The sessions of logins and signatures that have ended: they do not change any more. */
let ended: Promise<ReadonlyMap<string, StoredSession>> | undefined;
const endedSessions = (): Promise<ReadonlyMap<string, StoredSession>> =>
  (ended ??= storedSessions(staff, [
    ...load.attempts.flatMap(({ login }) => (login ? [{ client, sessionId: login.sessionId }] : [])),
    ...signing.attempts.map(({ signingClient, signing: { sessionId } = { sessionId: '' } }) => ({
      client: signingClient.client,
      sessionId,
      isSigning: true,
    })),
  ]));

describe('SIGTERM, while clients, browsers and phones send requests', () => {
  for (const { name } of services) {
    it(`${name}, one replica after the other: no request fails, and each process ends with exit code 0`, async () => {
      for (const replica of distributed.topology.of(name)) {
        const before = load.logins;
        await eventually(() => load.logins >= before + LOGINS_BEFORE, { what: 'logins go on', within: 90_000 });
        const began = performance.now();
        await replica.stop();
        const ms = Math.round(performance.now() - began);
        console.log(`${replica.label} was gone after ${ms} ms`);
        expect([replica.label, replica.exitCode]).toEqual([replica.label, 0]);
        expect(ms).toBeLessThan(GRACE);
        await replica.start();
        // Staff sends requests too.
        await staff.ask('GET', `/clients/${client.clientId}`);
        await staff.newPhone();
      }
      expect([...service.failures, ...load.failures, ...load.refusals, ...signing.refusals, ...held.failures]).toEqual([]);
    });
  }
});

describe('afterwards', () => {
  it('every request had its answer', async () => {
    await Promise.all([load.stop(), signing.stop(), held.stop()]);
    console.log(`${service.requests} requests, ${load.logins} logins, ${signing.attempts.length} signatures, ${held.answers} held requests`);
    expect([...service.failures, ...load.failures, ...load.refusals, ...signing.refusals, ...held.failures]).toEqual([]);
    expect(load.logins).toBeGreaterThanOrEqual(LOGINS_BEFORE * distributed.topology.replicas.length);
    expect(signing.attempts.length).toBeGreaterThan(services.length);
    expect(held.answers).toBeGreaterThan(0);
  });

  it('no worker abandoned a job', () => expect(stalled.found).toEqual([]));

  it('every completion under way was finished: every signature has exactly one valid container', async () => {
    const judge = await SigningJudge.of(service);
    await inTurns(signing.attempts, async (attempt) => expect(await judge.judge(attempt)).toBe('COMPLETED'));
  });

  it('every session that no request touched has ended, once', async () => {
    const idle = await forgetful.stop();
    expect(idle.length).toBeGreaterThan(services.length);
    await eventually(() => store.open(idle).length === 0, { what: 'all have ended', within: PUSH_TTL * 1_000 + 60_000 });
    const lateness = store.lateness(idle);
    console.log(`${idle.length} sessions ended after their time: median ${lateness[lateness.length >> 1]} ms, latest ${lateness.at(-1)} ms`);
    expect(lateness.at(-1)).toBeLessThan(60_000);
  });

  it('every webhook has ended in one state, and each belongs to an event: I5 and I6', async () => {
    const logins = [...(await endedSessions()).values()].filter(({ isSigning }) => !isSigning);
    const idle = store.storedSessions(await forgetful.stop());
    const required = messagesRequiredBy([...logins, ...idle.values()]);
    await endpoint.settled(60_000);
    expect(required.length).toBeGreaterThan(idle.size);
    expect(deliveryViolations(required, await endpoint.history())).toEqual([]);
  });

  it('the history has no violation of I1, I2, I3, I4 and I7', async () => {
    const sessions = new Map([...store.storedSessions(await forgetful.stop()), ...(await endedSessions())]);
    expect(violations(journal, sessions)).toEqual([]);
    let found: readonly string[] = [];
    await eventually(async () => (found = busViolations(sessions, await bus.read())).length === 0, {
      what: 'all stored events are on the bus',
      within: 120_000,
    }).catch(() => undefined);
    expect(found).toEqual([]);
  });

  it('no secret is in a log, the store, Kafka or Redis: I8', async () => {
    const records = await bus.read();
    await Promise.all([stalled.close(), store.close()]);
    await distributed.topology.stop();
    expect(secrecyViolations(NAME, records)).toEqual([]);
  });
});
