import { randomUUID } from 'node:crypto';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { streamName } from '#engines/event-store';

import { eventually } from '#testkit/kernel/eventually';
import { RecordMacs } from '#engines/message-bus';

import { expectOk, type Login, SigningClient, type Phone, RelyingParty, Staff } from '../support/index.js';
import { BusTap } from './support/bus-tap.js';
import { busViolations, type StoredSession, violations } from './support/checker.js';
import { ConsumerGroups, counted, deadLetterTopic, GROUPS, untilLogged } from './support/consumer-groups.js';
import { type Distributed, startDistributed } from './support/distributed.js';
import { AbandonedLogins } from './support/abandoned-logins.js';
import { Journal } from './support/journal.js';
import { keyRingOf } from './support/key-ring.js';
import { poison } from './support/poison.js';
import { rebalanceStorm } from './support/rebalance-storm.js';
import { inTurns, type KnownSession, storedSessions } from './support/stored-sessions.js';
import { secrecyViolations } from './support/secrecy-checker.js';
import { SigningJudge } from './support/signing-judge.js';
import { SteadySigning } from './support/signing-load.js';
import { LONGEST_THOUGHT_OF_SEVERAL, SteadyLoad } from './support/steady-load.js';
import { StoreTap } from './support/store-tap.js';
import { deliveryViolations, requiredMessages } from './support/webhook-checker.js';
import { Endpoint } from './support/webhook-endpoint.js';
import { WebhookReceiver } from './support/webhook-receiver.js';

const NAME = 'consumers';
const PARTITIONS = 6;

/** Of the sessions that no request touches; short, so that there are always some to end. Seconds. */
const PUSH_TTL = 15;
/** Long enough for a login on a busy machine. Seconds. */
const SESSION_TTL = 300;

/** How late a session may end, and how long consumers may take to read all waiting records; milliseconds. */
const LATEST = 60_000;

/**
 * Milliseconds: half of the two minutes that drill 9 requires for one group. Here six replicas of three groups stop and start; more changes
 * would show nothing new.
 */
const STORM = 60_000;

let distributed: Distributed;
let staff: Staff;
let client: RelyingParty;
let signingClient: SigningClient;
let phones: Phone[];
/** The subject whose phone reads no inbox. */
let absent: string;
let groups: ConsumerGroups;
let bus: BusTap;
let store: StoreTap;
let judge: SigningJudge;
let receiver: WebhookReceiver;
let endpoint: Endpoint;
/** A session with an event in its stream that only a newer version knows. */
let suspended: Login;

beforeAll(async () => {
  distributed = await startDistributed(
    NAME,
    { SESSION_TTL: String(SESSION_TTL), PUSH_SESSION_TTL: String(PUSH_TTL) },
    { replicated: ['signing', 'webhook-dispatcher', 'timers'] },
  );
  const { service, topology } = distributed;
  const brokers = topology.settings['KAFKA_BROKERS']!.split(',');
  staff = new Staff(service);
  client = await RelyingParty.register(service);
  signingClient = await SigningClient.register(service);
  phones = await Promise.all(Array.from({ length: 6 }, () => staff.newPhone()));
  absent = await client.subjectOf(await staff.newPhone());
  groups = new ConsumerGroups(brokers);
  bus = new BusTap(brokers);
  store = await StoreTap.open(topology.settings['ESDB_URL']!);
  judge = await SigningJudge.of(service);
  receiver = await WebhookReceiver.open();
  endpoint = await Endpoint.add(staff, client, { name: 'receiver', receiver, eventTypes: ['session.expired'] });
  suspended = await client.scanned(phones[0]!, { push: true, subject_id: await client.subjectOf(phones[0]!) });
  await store.asService(topology.settings).append(streamName('session', suspended.sessionId), 1, [
    {
      type: 'SessionSuspended',
      data: { at: Date.now() },
      metadata: { v: 3, clientId: client.clientId, signatureType: 'AUTHENTICATION', status: 'EXPIRED' },
    },
  ]);
});

afterAll(async () => {
  receiver?.close();
  await store?.close();
  await distributed?.topology.kill();
});

/** Everything that consumers act on: signatures, and sessions that no request touches; logins beside them. */
class Workload {
  readonly journal = new Journal();
  readonly signing = new SteadySigning(LONGEST_THOUGHT_OF_SEVERAL);
  readonly load = new SteadyLoad(this.journal, LONGEST_THOUGHT_OF_SEVERAL);
  readonly #forgetful = new AbandonedLogins(client, absent, this.journal, 1_000);

  constructor() {
    for (const phone of phones.slice(0, 3)) this.signing.add(signingClient, phone);
    for (const phone of phones.slice(3)) this.load.add(client, phone);
  }

  /** Resolves when all users have finished; returns the sessions that no request has touched. */
  async stop(): Promise<readonly KnownSession[]> {
    await Promise.all([this.load.stop(), this.signing.stop()]);
    return this.#forgetful.stop();
  }
}

const deadLetters = async (): Promise<Record<string, number>> => {
  const lengths = await Promise.all(Object.keys(GROUPS).map(async (group) => [group, (await bus.read([deadLetterTopic(group)])).length] as const));
  return Object.fromEntries(lengths);
};

const header = (content: string, name: string): string | undefined => new RegExp(`^dead-letter-${name}: (.*)$`, 'm').exec(content)?.[1];

const haveReadAll = (): Promise<void> => eventually(() => groups.haveReadAll(), { what: 'the groups have read everything', within: LATEST });

/** Asserts that every consequence has happened once, and that the checker finds no violation of I1, I2, I3, I4 and I7. */
const expectAllConsequences = async (workload: Workload, idle: readonly KnownSession[]): Promise<void> => {
  await eventually(() => store.open(idle).length === 0, { what: 'all sessions have ended', within: PUSH_TTL * 1_000 + LATEST });
  const lateness = store.lateness(idle);
  const { signing, load, journal } = workload;
  console.log(
    `${load.logins} logins, ${signing.attempts.length} signatures, ${idle.length} sessions ended after their time: median ${lateness[lateness.length >> 1]} ms, latest ${lateness.at(-1)} ms`,
  );
  expect(lateness.at(-1)).toBeLessThan(LATEST);
  expect([...signing.refusals, ...load.refusals]).toEqual([]);
  await inTurns(signing.attempts, async (attempt) => expect(await judge.judge(attempt)).toBe('COMPLETED'));

  const sessions = new Map<string, StoredSession>([
    ...store.storedSessions(idle),
    ...(await storedSessions(staff, [
      ...load.attempts.flatMap(({ login }) => (login ? [{ client, sessionId: login.sessionId }] : [])),
      ...signing.attempts.map(({ signing: made }) => ({ client: signingClient.client, sessionId: made!.sessionId, isSigning: true })),
    ])),
  ]);
  expect(violations(journal, sessions)).toEqual([]);
  let found: readonly string[] = [];
  await eventually(async () => (found = busViolations(sessions, await bus.read())).length === 0, {
    what: 'all stored events are on the bus',
    within: LATEST,
  }).catch(() => undefined);
  expect(found).toEqual([]);

  const required = (
    await requiredMessages(
      staff,
      idle.map(({ sessionId }) => sessionId),
    )
  ).filter(({ type }) => type === 'session.expired');
  expect(required).toHaveLength(idle.length);
  await endpoint.settled(LATEST);
  expect(deliveryViolations(required, await endpoint.history())).toEqual([]);
};

describe('poison messages on every partition of the topic, under load', () => {
  it('go to the dead letters of every group with the reason and an alarm, and delay no other message', async () => {
    const workload = new Workload();
    await eventually(() => workload.signing.containers > 3, { what: 'signatures', within: LATEST });
    const partitions = Array.from({ length: PARTITIONS }, (_, partition) => partition);
    const { KEY_DIR = '', ENVIRONMENT = '' } = distributed.topology.settings;
    const macs = new RecordMacs(keyRingOf(KEY_DIR, 'event'), ENVIRONMENT);
    const written = partitions.flatMap((partition) => {
      const key = randomUUID();
      return Object.values(poison(key)).map(({ isSigned, reason, ...record }) => ({
        ...record,
        ...(isSigned && { headers: { ...record.headers, mac: String(macs.sign({ ...record, key }).headers?.['mac']) } }),
        partition,
        key,
        reason,
      }));
    });
    const before = workload.signing.containers;
    await groups.write(written);
    await eventually(() => workload.signing.containers > before + 10, { what: 'signatures after the poison', within: LATEST });
    const idle = await workload.stop();
    await haveReadAll();

    const reasons = written.map(({ reason }) => reason).sort();
    for (const [group, service] of Object.entries(GROUPS)) {
      const replicas = distributed.topology.of(service);
      const letters = await bus.read([deadLetterTopic(group)]);
      // A dead letter may be stored twice when the group was rebalanced in between; the record's place identifies it.
      const kept = new Map(letters.map(({ content }) => [header(content, 'origin'), header(content, 'reason')]));
      expect([group, [...kept.values()].sort()]).toEqual([group, reasons]);
      for (const { content } of letters) expect(content.length).toBeLessThan(70_000);
      expect(await counted(replicas, 'message_bus_messages_total', `group="${group}"`, 'outcome="dead_letter"')).toBeGreaterThanOrEqual(
        written.length,
      );
      await untilLogged(replicas, ['"level":50', 'message became a dead letter', `"component":"${group}"`], written.length);
    }
    await expectAllConsequences(workload, idle);
  });

  it('the relay parks a stored event of a future version with an alarm: the bus continues, and no wrong status of its session is shown', async () => {
    const { sessionId } = suspended;
    const relays = distributed.topology.of('event-relay');
    expect(await counted(relays, 'event_relay_events_total', 'outcome="parked"')).toBeGreaterThanOrEqual(1);
    await untilLogged(relays, ['"level":50', 'an event cannot be published', 'SessionSuspended']);
    expect((await bus.read()).filter(({ key }) => key === sessionId).map(({ type }) => type)).toEqual(['session.created', 'session.scanned']);

    const path = `/relying-party/v1/session/${sessionId}/status`;
    const { status, json } = await distributed.service.sendUnchecked({ method: 'GET', path, headers: { authorization: client.authorization } });
    expect([status, json?.['errorCode']]).toEqual([503, 'service_unavailable']);
    // The session's time has passed meanwhile. The timer has tried to end it, and refused to decide on an unknown event.
    await untilLogged(distributed.topology.of('timers'), ['"level":40', 'a session timer failed', sessionId]);
    expect((await store.store.read(streamName('session', sessionId))).map(({ type }) => type)).toEqual([
      'SessionCreated',
      'SessionScanned',
      'SessionSuspended',
    ]);
    expectOk(await client.status(await client.login()));
  });
});

describe('a rebalance storm: a replica of the timers, of signing or of the dispatcher stops and starts every three seconds', () => {
  it('skips no offset, and every event takes effect once', async () => {
    const before = await deadLetters();
    const workload = new Workload();
    const names = [...new Set(Object.values(GROUPS))];
    const replicas = [0, 1].flatMap((number) => names.map((name) => distributed.topology.of(name)[number]!));
    const changes = await rebalanceStorm(replicas, STORM);
    const idle = await workload.stop();
    await haveReadAll();
    console.log(`${changes} changes of members; repeated after ${workload.load.failures.length} lost answers`);
    expect(changes).toBeGreaterThan(20);
    await expectAllConsequences(workload, idle);
    expect(await deadLetters()).toEqual(before);
  });
});

describe('afterwards', () => {
  it('no secret is in a log, the store, Kafka or Redis: I8', async () => {
    const records = await bus.read(await bus.topics());
    await store.close();
    await distributed.topology.kill();
    expect(secrecyViolations(NAME, records)).toEqual([]);
  });
});
