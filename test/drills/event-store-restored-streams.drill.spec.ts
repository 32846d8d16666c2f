import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { type EventStore, MARK_STREAM, openEventStoreDb } from '#engines/event-store';
import { SystemClock, SystemRandomness } from '#kernel';
import { DIALECTS } from '#testkit/event-store/eventstoredb/grpc-test-server/dialect';
import { SpawnedTestServer } from '#testkit/event-store/eventstoredb/spawned-test-server';
import { eventually } from '#testkit/kernel/eventually';

import { expectOk, type Login, type Phone, RelyingParty, Staff, StandaloneService } from '../support/index.js';
import { metric } from './support/metric.js';
import { fill, growPast, putBack } from './support/put-back.js';
import { Endpoint } from './support/webhook-endpoint.js';
import { type ReceivedMessage, WebhookReceiver } from './support/webhook-receiver.js';

/** Each event after the restoration is handed over within this time (specification/reliability.md#drill-26), and the service may be slow beside other tests. Milliseconds. */
const TIME_LIMIT = 5_000 * 4;
const BACK = 60_000;
/** Seconds that a session lives which its timer ends. */
const LIFETIME = 60;

/** One process over a server whose files are replaced by an older copy, while streams change again at revisions that the lost part had used. */
describe.each(DIALECTS)('streams that change again after a restoration, on a server of %s that has grown past the old end', (dialect) => {
  let server: SpawnedTestServer;
  let copies: string;
  let service: StandaloneService;
  let staff: Staff;
  let client: RelyingParty;
  let phone: Phone;
  let endpoint: Endpoint;
  let store: EventStore;
  /** A session that the copy shows as new, and whose end is lost. */
  let open: Login;
  /** A session that the copy shows as new, and that its timer ends. */
  let waiting: Login;
  /** The number of messages that had come before the restoration. */
  let before: number;

  beforeAll(async () => {
    server = await SpawnedTestServer.start('--dialect', dialect);
    copies = await mkdtemp(join(tmpdir(), 'restored-streams-'));
    service = await StandaloneService.start(`restored-streams-${dialect}`, settings(LIFETIME));
    store = await openEventStoreDb({ connectionString: server.connectionString, clock: new SystemClock(), randomness: new SystemRandomness() });
    staff = new Staff(service);
    client = await RelyingParty.register(service);
    phone = await staff.newPhone();
    endpoint = await Endpoint.add(staff, client, { name: 'takes everything', receiver: await WebhookReceiver.open() });
  });
  afterAll(async () => {
    endpoint?.receiver.close();
    await store?.close();
    await service?.kill();
    await server?.[Symbol.asyncDispose]();
    await rm(copies, { recursive: true, force: true });
  });

  const settings = (lifetime: number) => ({ ESDB_URL: server.connectionString, SESSION_TTL: String(lifetime) });
  const answers = (): Promise<void> =>
    eventually(
      () =>
        client.login().then(
          () => true,
          () => false,
        ),
      { what: 'the service answers', within: BACK },
    );
  const messagesOf = ({ sessionId }: Pick<Login, 'sessionId'>, since = before): ReceivedMessage[] =>
    endpoint.receiver.received.slice(since).filter((message) => message.sessionId === sessionId);
  const told = (login: Pick<Login, 'sessionId'>, type: string, within = TIME_LIMIT): Promise<void> =>
    eventually(() => messagesOf(login).some((message) => message.type === type), { what: `${type} is told`, within });
  const listed = async (): Promise<unknown> => (await staff.ask('GET', `/clients/${client.clientId}`))['name'];
  const restorations = (): Promise<number | undefined> => metric({ url: service.baseUrls[0]! }, 'event_store_restorations_total');

  it('loses the end of a session, a change of a client and logins of a phone', async () => {
    await eventually(async () => (await store.read(MARK_STREAM)).length > 0, { what: 'a mark is written', within: BACK });
    waiting = await client.login();
    await service.stop();
    await service.restart(settings(900));
    open = await client.login();
    await server.terminate();
    await cp(server.folder, join(copies, 'older'), { recursive: true });
    await server.restart();
    await answers();
    before = 0;
    expectOk(await phone.scan(open.sessionId));
    expectOk(await phone.confirm(open.sessionId));
    await client.redeemableCode(open);
    await told(open, 'session.completed');
    await client.subjectOf(phone);
    await staff.ask('PATCH', `/clients/${client.clientId}`, { name: `${client.name} lost` });
    expect(await client.statusOf(open)).toBe('COMPLETED');
    expect(await restorations()).toBe(0);
    const end = await fill(store);

    await server.kill();
    await putBack(join(copies, 'older'), server.folder);
    await growPast(end, { folder: server.folder, dialect });
    before = endpoint.receiver.received.length;
    await server.restartRestored();
    await answers();
  });

  it('decides on the stream of the copy, and tells the new end of the session once', async () => {
    expect(await client.statusOf(open, 'PENDING')).toBe('PENDING');
    expectOk(await phone.scan(open.sessionId));
    expectOk(await phone.decline(open.sessionId));
    await told(open, 'session.cancelled');
    const messages = messagesOf(open).filter(({ type }) => type === 'session.cancelled');
    expect(messages).toHaveLength(1);
    expect(await client.statusOf(open)).toBe('CANCELLED');
  });

  it('lists the client as the copy has it, and refuses its change while it knows lost entries of the audit trail', async () => {
    await eventually(async () => (await listed()) === client.name, { what: 'the name of the copy is shown', within: TIME_LIMIT });
    expect((await staff.call('PATCH', `/clients/${client.clientId}`, { name: `${client.name} kept` })).status).toBe(503);
    expect(await listed()).toBe(client.name);
  });

  it('ends a session of the copy by its timer, and tells it once', async () => {
    await told(waiting, 'session.expired', LIFETIME * 1_000 + TIME_LIMIT);
    expect(await client.statusOf(waiting)).toBe('EXPIRED');
    expect(messagesOf(waiting).filter(({ type }) => type === 'session.expired')).toHaveLength(1);
  });

  it('takes logins of the phone and tells them, at revisions of the phone that the lost part had used', async () => {
    const login = await client.completed(phone);
    expectOk(await client.token(login.code, login.verifier));
    await told(login, 'session.completed');
    const types = messagesOf(login).map(({ type }) => type);
    expect(new Set(types).size).toBe(types.length);
  });

  it('notes the restoration once, and refuses no stream', async () => {
    await eventually(async () => ((await restorations()) ?? 0) > 0, { what: 'the restoration is noted', within: TIME_LIMIT });
    expect(await restorations()).toBe(1);
    const marks = await store.read(MARK_STREAM);
    expect(marks.filter(({ type }) => type === 'RestorationNoted')).toHaveLength(1);
    expect(await metric({ url: service.baseUrls[0]! }, 'event_store_events_refused_total', { reason: 'chain' })).toBeFalsy();
  });

  it('goes on after a restart: the client changes at a revision that the lost part had used', async () => {
    await service.stop();
    await service.restart(settings(2));
    expect(await listed()).toBe(client.name);
    const name = `${client.name} kept`;
    await staff.ask('PATCH', `/clients/${client.clientId}`, { name });
    expect(await listed()).toBe(name);
    const ended = await client.login();
    await told(ended, 'session.expired');
    expect(messagesOf(ended).filter(({ type }) => type === 'session.expired')).toHaveLength(1);
    expect(await restorations()).toBe(0);
    expect((await store.read(MARK_STREAM)).filter(({ type }) => type === 'RestorationNoted')).toHaveLength(1);
  });
});
