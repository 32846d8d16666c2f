import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { eventually } from '#testkit/kernel/eventually';

import { reservePort } from '../../testkit/processes/reserve-port.ts';
import { ServiceProcess } from '../../testkit/processes/service-process.ts';
import { type Phone, RelyingParty, SigningClient, Staff } from '../support/index.js';
import { BusTap } from './support/bus-tap.js';
import { busViolations, violations } from './support/checker.js';
import { counted, untilLogged } from './support/consumer-groups.js';
import { type Distributed, startDistributed } from './support/distributed.js';
import { FailureRecordingService } from './support/failure-recording-service.js';
import { makeNextRelease, NEW_EVENTS, runNext } from './support/next-release.js';
import { SteadyUsers } from './support/steady-users.js';
import { inTurns, storedSessions } from './support/stored-sessions.js';
import { deliveryViolations, messagesRequiredBy } from './support/webhook-checker.js';
import { Endpoint } from './support/webhook-endpoint.js';
import { WebhookReceiver } from './support/webhook-receiver.js';

/*
 * Drill 22: old and new releases side by side, upgraded and rolled back one service after another, in the order of docs/operator.md#upgrade, under load.
 *
 * The old release is this one. The new one is made of the same build with the changes that a release makes when it stores a new type of event and a new
 * version: `support/next-release.ts`. An earlier commit would need its packages and a clone that has it, and would show only the differences of that commit,
 * most often none in the events. What one release after the other really stored is shown by the data directories in `test/vectors/releases`.
 */

/** The order of docs/operator.md#upgrade, without console, which does not run here. */
const ORDER = ['event-relay', 'webhook-dispatcher', 'signing', 'timers', 'device-api', 'login-bff', 'openid', 'session-api', 'registry'];
/** The services that answer users without a pause: two replicas each. */
const REPLICATED = ['device-api', 'login-bff', 'session-api', 'registry'] as const;
/** Of the sessions that no request touches, seconds. */
const PUSH_TTL = 5;
/** Milliseconds. */
const LATEST = 120_000;

let distributed: Distributed;
let service: FailureRecordingService;
let staff: Staff;
let client: RelyingParty;
let signingClient: SigningClient;
let phones: Phone[];
/** The subject whose phone reads no inbox. */
let absent: string;
let receiver: WebhookReceiver;
let endpoint: Endpoint;
let bus: BusTap;
let next: string;
let users: SteadyUsers;

const newUsers = (): SteadyUsers => new SteadyUsers({ service, staff, client, signingClient, phones, absent });

/** Ends each replica of these services and starts it again, on a release and perhaps with the setting for new events. */
const restart = async (names: readonly string[], release: string, settings: Readonly<Record<string, string>> = {}): Promise<void> => {
  for (const name of names)
    for (const replica of distributed.topology.of(name)) {
      await replica.stop();
      replica.release = release;
      replica.environment = { ...distributed.topology.settings, ...settings };
      await replica.start();
    }
};

const old = (): string => new ServiceProcess({ name: '', port: 0, directory: '', environment: {} }).release;

interface Letters {
  readonly groups: readonly { readonly group: string; readonly letters: readonly { readonly reason: string; readonly redriven?: boolean }[] }[];
}

/** The reasons of the letters that were not redriven, by group. */
const deadLetters = async (): Promise<Record<string, readonly string[]>> => {
  const { groups } = (await runNext(distributed.topology.settings, 'dead-letters', 'list')) as Letters;
  return Object.fromEntries(
    groups.flatMap(({ group, letters }) => {
      const waiting = letters.filter(({ redriven }) => !redriven);
      return waiting.length > 0 ? [[group, [...new Set(waiting.map(({ reason }) => reason))].sort()]] : [];
    }),
  );
};

/** Asserts that no request failed and that the sessions and their webhooks are whole: I1, I2, I3, I5, I6 and I7; answers the violations of I4. */
const judged = async (done: SteadyUsers): Promise<readonly string[]> => {
  const known = await done.stop();
  expect(done.failures).toEqual([]);
  await inTurns(
    known.filter(({ isSigning }) => !isSigning),
    async ({ sessionId }) =>
      eventually(async () => (await client.status({ sessionId })).json?.['status'] !== 'PENDING', { within: PUSH_TTL * 1_000 + LATEST }),
  );
  const sessions = await storedSessions(staff, known);
  expect(violations(done.journal, sessions)).toEqual([]);
  expect(done.signing.attempts.filter(({ container }) => container === undefined).map(({ name }) => name)).toEqual([]);
  const required = messagesRequiredBy([...sessions.values()].filter(({ isSigning }) => !isSigning));
  let undelivered: readonly string[] = [];
  await eventually(async () => (undelivered = deliveryViolations(required, await endpoint.history())).length === 0, {
    what: 'every webhook has ended',
    within: LATEST,
  }).catch(() => undefined);
  expect(undelivered).toEqual([]);
  let found: readonly string[] = [];
  await eventually(async () => !(found = busViolations(sessions, await bus.read())).some(isNoTraceOfRedriving), {
    what: 'all stored events are on the bus',
    within: LATEST,
  }).catch(() => undefined);
  return found;
};

/** Redriven records come late, and carry the name of their group. */
const isNoTraceOfRedriving = (line: string): boolean => !line.includes('comes first after') && !line.endsWith('differs from its repetition');

const count = (name: string, ...words: readonly string[]): Promise<number> => counted(distributed.topology.of(name), ...words);

beforeAll(async () => {
  [distributed, next] = await Promise.all([
    startDistributed('upgrade', { PUSH_SESSION_TTL: String(PUSH_TTL) }, { replicated: REPLICATED, openid: true }),
    makeNextRelease(),
  ]);
  const { settings } = distributed.topology;
  service = new FailureRecordingService(distributed.service);
  staff = new Staff(service);
  client = await RelyingParty.register(service);
  signingClient = await SigningClient.register(service);
  phones = await Promise.all(Array.from({ length: 3 }, () => staff.newPhone()));
  absent = await client.subjectOf(await staff.newPhone());
  receiver = await WebhookReceiver.open();
  endpoint = await Endpoint.add(staff, client, { name: 'receiver', receiver });
  bus = new BusTap(settings['KAFKA_BROKERS']!.split(','));
  users = newUsers();
});

afterAll(async () => {
  await users?.stop();
  receiver?.close();
  await distributed?.topology.kill();
});

describe('an upgrade under load, in the order of the manual', () => {
  it.each(ORDER)('%s: no request fails', async (name) => {
    await users.goOn(1);
    await restart([name], next);
    expect(users.failures).toEqual([]);
  });

  it('and the setting for new events, switched on last: no request fails, every consumer takes them, and none was stored before', async () => {
    await users.goOn(1);
    const before = new Set(users.loggedIn);
    expect(before.size).toBeGreaterThan(ORDER.length);
    await restart(['device-api'], next, { [NEW_EVENTS]: 'true' });
    await users.goOn(3);
    expect(await judged(users)).toEqual([]);
    expect(await deadLetters()).toEqual({});
    const noted = (await bus.read()).flatMap(({ type, key }) => (type === 'session.noted' ? [key] : []));
    expect(noted.length).toBeGreaterThan(2);
    expect(noted.filter((sessionId) => before.has(sessionId))).toEqual([]);
    users = newUsers();
  });
});

describe('older services beside a writer of new events, against the manual', () => {
  it('a consumer parks what it does not know, with an alarm, and goes on', async () => {
    await restart(['webhook-dispatcher'], old());
    await users.goOn(2);
    const dispatchers = distributed.topology.of('webhook-dispatcher');
    await eventually(async () => (await count('webhook-dispatcher', 'message_bus_messages_total', 'group="webhooks"', 'outcome="dead_letter"')) > 0, {
      what: 'a dead letter',
      within: LATEST,
    });
    await untilLogged(dispatchers, ['"level":50', 'message became a dead letter', 'unknown type']);
    expect(await deadLetters()).toEqual({ webhooks: ['unknown type'] });
  });

  it('the relay parks what it cannot publish, with an alarm, and goes on', async () => {
    // A signature is cancelled when its container is not built in time, and no service builds one for an event that the relay parked.
    await users.signing.stop();
    await restart(['event-relay'], old());
    await users.goOn(2);
    await eventually(async () => (await count('event-relay', 'event_relay_events_total', 'outcome="parked"')) > 0, {
      what: 'a parked event',
      within: LATEST,
    });
    await untilLogged(distributed.topology.of('event-relay'), ['"level":50', 'an event cannot be published', 'SessionNoted']);
    expect(Object.keys(await deadLetters()).sort()).toEqual(['event-relay', 'webhooks']);
  });

  it('a reader answers the status that the event names, and decides nothing', async () => {
    const { topology } = distributed;
    const reader = new ServiceProcess({
      name: 'session-api',
      label: 'session-api-old',
      port: await reservePort(),
      directory: topology.directory,
      environment: topology.settings,
    });
    topology.replicas.push(reader);
    await reader.start();
    const { sessionId } = await client.login();
    await phones[0]!.scan(sessionId);
    await eventually(async () => (await client.status({ sessionId })).json?.['status'] === 'SCANNED');
    const ask = (method: string, path: string) =>
      fetch(`${reader.url}/relying-party/v1/session/${sessionId}${path}`, {
        method,
        headers: { authorization: client.authorization, connection: 'close' },
      });
    // Only the statuses in Redis tell it, which a new process reads once it knows the history of the store. Until then: 503.
    let shown: readonly unknown[] = [];
    await eventually(async () => {
      const answer = await ask('GET', '/status');
      shown = [answer.status, await answer.json()];
      return answer.status !== 503;
    });
    expect(shown).toMatchObject([200, { status: 'SCANNED' }]);
    const refused = await ask('POST', '/completion');
    expect([refused.status, await refused.json()]).toMatchObject([503, { errorCode: 'service_unavailable' }]);
    expect(await counted([reader], 'event_store_newer_events_total', 'category="session"')).toBeGreaterThan(0);
    await untilLogged([reader], ['"level":50', 'a newer release has stored events']);
    await reader.stop();
  });

  it('are upgraded, and what was parked is redriven: every event and every webhook is there, once', async () => {
    await restart(['event-relay', 'webhook-dispatcher'], next);
    await runNext(distributed.topology.settings, 'dead-letters', 'redrive');
    expect((await judged(users)).filter(isNoTraceOfRedriving)).toEqual([]);
    expect(await deadLetters()).toEqual({});
    users = newUsers();
  });
});

describe('a way back under load', () => {
  it('the setting is switched off, and once the sessions with new events are over, each service goes back: no request fails', async () => {
    await users.goOn(1);
    await restart(['device-api'], next);
    await users.stop();
    expect(users.failures).toEqual([]);
    users = newUsers();
    for (const name of ORDER.toReversed()) {
      await users.goOn(1);
      await restart([name], old());
      expect([name, ...users.failures]).toEqual([name]);
    }
    await users.goOn(1);
    expect(await judged(users)).toEqual([]);
    expect(await deadLetters()).toEqual({});
  });
});
