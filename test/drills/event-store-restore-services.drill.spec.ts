import { readFileSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { type EventStore, openEventStoreDb } from '#engines/event-store';
import { SystemClock, SystemRandomness } from '#kernel';
import type { Dialect } from '#testkit/event-store/eventstoredb/grpc-test-server/dialect';
import { eventually } from '#testkit/kernel/eventually';

import { expectOk, type Login, pause, type Person, type Phone, type RelyingParty } from '../support/index.js';
import { metric } from './support/metric.js';
import { fill, growPast, putBack } from './support/put-back.js';
import { ReadModelRows } from './support/read-model-rows.js';
import { Rig } from './support/rig.js';
import { Endpoint } from './support/webhook-endpoint.js';
import { WebhookReceiver } from './support/webhook-receiver.js';

/** Seconds. */
const LEASE = 2;
/** The services have resumed all work within this time. Milliseconds. */
const TIME_LIMIT = 60_000;
/** The registry looks at the list of erasures every 30 s. Milliseconds. */
const ERASED_AGAIN_WITHIN = 45_000;
/** An endless retry would be logged several times within this time. Milliseconds. */
const OBSERVATION = 12_000;

/** EventStoreDB 24.10 is here as KurrentDB is: event-store-restored-streams.drill runs on it too. */
const RUNS: readonly { readonly dialect: Dialect; readonly grown: boolean; readonly how: string }[] = [
  { dialect: '23.10', grown: false, how: 'and ends before their places' },
  { dialect: '26.1', grown: true, how: 'and has grown past their places before they reach it' },
];

/** The services keep running while the files of their store are replaced by an older copy (specification/reliability.md#drill-26). */
describe.each(RUNS)('services over a store of $dialect that is restored from an older copy $how', ({ dialect, grown }) => {
  let rig: Rig;
  let client: RelyingParty;
  let phone: Phone;
  let ann: Person;
  let copy: string;
  /** The ids of the events on the topic when the copy was made, and after the events that the copy lacks. */
  let copied: ReadonlySet<string>;
  let lacking: readonly string[];
  let endpoint: Endpoint;
  /** Of the test, beside the services. */
  let store: EventStore;
  /** A session that the copy shows as new, and whose end is lost. */
  let open: Login;
  /** The number of webhook messages that had come before the restoration. */
  let told: number;
  /** The sessions that the copy lacks. */
  const lost: string[] = [];

  beforeAll(async () => {
    rig = await Rig.start(`restore-${dialect}`, {
      dialect,
      settings: { RELAY_LEASE: String(LEASE) },
      users: 1,
      kills: ['ESDB_URL'],
      replicated: ['registry', 'event-relay'],
    });
    [client] = rig.clients as [RelyingParty];
    [phone] = rig.phones as [Phone];
    copy = join(rig.topology.directory, 'older-copy');
    lost.length = 0;
    const { ESDB_URL } = rig.topology.settings;
    store = await openEventStoreDb({ connectionString: ESDB_URL!, clock: new SystemClock(), randomness: new SystemRandomness() });
    endpoint = await Endpoint.add(rig.staff, client, { name: 'takes everything', receiver: await WebhookReceiver.open() });
  });
  afterAll(async () => {
    endpoint?.receiver.close();
    await store?.close();
    await rig?.stop();
  });

  const files = (): string => join(rig.topology.directory, 'grpc-test-server');
  const ids = async (): Promise<ReadonlySet<string>> => new Set((await rig.tap.read()).map(({ id }) => id));
  const erased = async (): Promise<boolean> => (await rig.staff.call('GET', `/identities/${ann.identityId}/devices`)).status === 404;
  const logIn = async (): Promise<string> => {
    const login = await client.completed(phone);
    expect((await client.token(login.code, login.verifier)).status).toBe(200);
    return login.sessionId;
  };
  const available = (work: () => Promise<unknown>, what: string): Promise<void> =>
    eventually(
      () =>
        work().then(
          () => true,
          () => false,
        ),
      { what, within: TIME_LIMIT },
    );
  const messagesOf = ({ sessionId }: Login, since = 0): WebhookReceiver['received'] =>
    endpoint.receiver.received.slice(since).filter((message) => message.sessionId === sessionId);
  /** Waits until the topic holds the whole login. */
  const published = (sessionId: string): Promise<void> =>
    eventually(async () => (await rig.tap.read()).some(({ key, type }) => key === sessionId && type === 'session.code_redeemed'), {
      what: 'the events of the login are on the topic',
      within: TIME_LIMIT,
    });
  const lines = (text: string, service?: string): number =>
    rig.topology.replicas
      .filter(({ name }) => service === undefined || name === service)
      .reduce((sum, { log }) => sum + readFileSync(log, 'utf8').split(text).length - 1, 0);
  const lackingReported = async (): Promise<number> => {
    const counts = await Promise.all(rig.topology.of('event-relay').map((relay) => metric(relay, 'event_relay_lacking_events_total')));
    return counts.reduce<number>((sum, count) => sum + (count ?? 0), 0);
  };

  it('go on: logins succeed, and their events reach the topic', async () => {
    ann = await rig.staff.registerPerson();
    await client.subjectOf(await rig.staff.phoneOf(ann));
    await published(await logIn());
    open = await client.login();
    await rig.topology.store.stop();
    await cp(files(), copy, { recursive: true });
    copied = await ids();
    await rig.topology.store.start();

    await available(async () => void lost.push(await logIn()), 'logins succeed after the copy');
    await available(async () => expect((await rig.staff.call('DELETE', `/identities/${ann.identityId}`)).status).toBe(204), 'the person is erased');
    expect(await erased()).toBe(true);
    for (let login = 0; login < 3; login++) {
      const sessionId = await logIn();
      lost.push(sessionId);
      await published(sessionId);
    }
    expectOk(await phone.scan(open.sessionId));
    expectOk(await phone.confirm(open.sessionId));
    await client.redeemableCode(open);
    await rig.staff.ask('PATCH', `/clients/${client.clientId}`, { name: `${client.name} lost` });
    await eventually(() => messagesOf(open).some(({ type }) => type === 'session.completed'), {
      what: 'the end of the session is told',
      within: TIME_LIMIT,
    });
    const end = await fill(store);
    const before = await ids();

    await rig.topology.store.kill();
    told = endpoint.receiver.received.length;
    await putBack(copy, files());
    if (grown) await growPast(end, { folder: files(), dialect });
    await rig.topology.store.startRestored();
    lacking = [...before].filter((id) => !copied.has(id));
    expect(lacking.length).toBeGreaterThan(10);

    await available(logIn, 'logins succeed after the restoration');
    await published(await logIn());
  });

  it('decide on the stream of the copy, at revisions that the lost part had used, and tell each event once', async () => {
    await eventually(async () => (await client.statusOf(open)) === 'PENDING', { what: 'the session is as the copy has it', within: TIME_LIMIT });
    expectOk(await phone.scan(open.sessionId));
    expectOk(await phone.decline(open.sessionId));
    await eventually(() => messagesOf(open, told).some(({ type }) => type === 'session.cancelled'), {
      what: 'the new end of the session is told',
      within: TIME_LIMIT,
    });
    expect(messagesOf(open, told).filter(({ type }) => type === 'session.cancelled')).toHaveLength(1);
    expect(await client.statusOf(open, 'CANCELLED')).toBe('CANCELLED');
  });

  it('erase the person again', async () => {
    await eventually(() => lines('persons were erased again', 'registry') > 0, { what: 'the registry tells it', within: ERASED_AGAIN_WITHIN });
  });

  it('refuse the audit trail that lacks entries, with an alarm, and each change, until the registry is started again', async () => {
    const alarm = 'audit-log is refused: an event is missing';
    await eventually(async () => (await rig.staff.call('GET', '/audit')).status === 503 && lines(alarm, 'registry') > 0, {
      what: 'a registry that knows the lost entries tells it',
      within: TIME_LIMIT,
    });
    for (const registry of rig.topology.of('registry')) {
      await registry.stop();
      await registry.start();
    }
    const before = lines(alarm, 'registry');
    for (let call = 0; call < 4; call += 1) expect((await rig.staff.call('GET', '/audit')).status).toBe(200);
    expect(lines(alarm, 'registry')).toBe(before);
    expect(await erased()).toBe(true);
    // A registry that knows the lost entries makes no change, as it shows none.
    const name = `${client.name} kept`;
    await rig.staff.ask('PATCH', `/clients/${client.clientId}`, { name });
    await eventually(async () => (await rig.staff.ask('GET', `/clients/${client.clientId}`))['name'] === name, {
      what: 'the new name is shown',
      within: TIME_LIMIT,
    });
  });

  it('count the events that the topic has and the copy lacks', async () => {
    await eventually(async () => (await lackingReported()) === lacking.length, {
      what: `the relay counts ${lacking.length} lacking events`,
      within: TIME_LIMIT,
    });
    expect(lines('lacks events that are on the topic', 'event-relay')).toBe(1);
  });

  it('hold read models that equal what the restored store says, the timers of sessions among them', async () => {
    await endpoint.settled(TIME_LIMIT);
    const models = new ReadModelRows(rig.topology.settings['POSTGRES_URL']!, rig.staff);
    expect(await models.names()).toEqual(expect.arrayContaining(['clients', 'deliveries', 'identities', 'session-timers']));
    const rows = await models.settled();
    const timers = rows['session_timers_v1']!.join();
    expect(timers).not.toBe('');
    expect(lost.filter((sessionId) => timers.includes(sessionId))).toEqual([]);
    expect(await models.builtAnew()).toEqual(rows);
  });

  it('are ready and retry nothing for ever', async () => {
    const ready = async (): Promise<readonly string[]> => {
      const answers = await Promise.all(rig.topology.replicas.map(async ({ label, url }) => [label, (await fetch(`${url}/readyz`)).ok] as const));
      return answers.flatMap(([label, ok]) => (ok ? [] : [label]));
    };
    await eventually(async () => (await ready()).length === 0, { what: 'every service is ready', within: TIME_LIMIT });
    const warnings = (): number => lines('"level":40') + lines('"level":50');
    const before = warnings();
    expect(before).toBeGreaterThan(0);
    await pause(OBSERVATION);
    expect(warnings()).toBe(before);
    expect(await ready()).toEqual([]);
    expect(await erased()).toBe(true);
  });
});
