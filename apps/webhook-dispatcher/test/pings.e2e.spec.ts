import { LocatingTokens, type SessionId } from '#kernel';
import { eventually } from '#testkit/kernel/eventually';
import { noticeEndpoint } from '#domain/webhook';

import { dispatcherFixture } from './dispatcher.fixture.js';
import { answering, answersNoContent, type Receiver } from './receiver.js';

let dispatcher: Awaited<ReturnType<typeof dispatcherFixture>>;
let receiver: Receiver;
beforeEach(async () => {
  dispatcher = await dispatcherFixture();
  receiver = await dispatcher.receiver();
  await registered(receiver.url);
});
afterEach(() => dispatcher.close());

/** The client's address for pings. */
const registered = async (backchannelClientNotificationEndpoint: string): Promise<void> => {
  const { changeClient } = dispatcher.platform.useCases.relyingParties();
  await changeClient.execute(dispatcher.sessions.client.clientId, { backchannelClientNotificationEndpoint });
};
const TOKEN = '8d67dc78-7faa-4d41-aabd-67707b374255';

/** A login without a browser, whose client has brought a token for the ping. */
const asked = async (openid: Readonly<Record<string, string>> = { scope: 'openid', notificationToken: TOKEN }): Promise<SessionId> => {
  const { sessions, platform, clock } = dispatcher;
  const sessionId = platform.randomness.uuid<SessionId>();
  const at = clock.now();
  const terms = {
    clientId: sessions.client.clientId,
    signatureType: 'AUTHENTICATION',
    pushStatus: 'DISPATCHED',
    issuer: true,
    backchannel: true,
  } as const;
  const sealed = platform.sealer.seal({ openid }, `session-${sessionId}`);
  await sessions.append(sessionId, { type: 'SessionCreated', data: { ...terms, sealed, at, expiresAt: at + 300_000 } });
  return sessionId;
};
const idOf = async (sessionId: SessionId): Promise<string> => {
  const [created] = await dispatcher.platform.eventStore.read(`session-${sessionId}` as never);
  return new LocatingTokens(dispatcher.platform.keys.token, 'openid-auth-req-id').make(sessionId, created?.id ?? '');
};
const cancel = (sessionId: SessionId) =>
  dispatcher.sessions.append(sessionId, { type: 'SessionCancelled', data: { reason: 'LEFT', at: dispatcher.clock.now() } });
/** What the service has recorded of the pings. */
const log = async () => {
  const events = await dispatcher.log(noticeEndpoint(dispatcher.sessions.client.clientId, 'openid.ping'));
  return events.map(({ type, data }) => [type, 'end' in data ? data.end : undefined]);
};
const ended = (end: string) => eventually(async () => (await log()).at(-1)?.[1] === end);

describe('the ping of a login without a browser', () => {
  it.each([
    ['approved', (sessionId: SessionId) => dispatcher.sessions.confirm(sessionId)],
    ['cancelled', cancel],
    ['over', (sessionId: SessionId) => dispatcher.sessions.append(sessionId, { type: 'SessionExpired', data: { at: dispatcher.clock.now() } })],
  ])('comes once the login is %s, with the id of the request and the token of the client', async (_, decide) => {
    const sessionId = await asked();
    await decide(sessionId);
    await ended('succeeded');
    const [{ headers, text }] = receiver.received as [(typeof receiver.received)[number]];
    expect(receiver.received).toHaveLength(1);
    expect(JSON.parse(text)).toEqual({ auth_req_id: await idOf(sessionId) });
    expect(headers).toMatchObject({ authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' });
    expect(headers).not.toHaveProperty('webhook-signature');
  });

  it('leaves neither the token nor the id in the log', async () => {
    const sessionId = await asked();
    await cancel(sessionId);
    await ended('succeeded');
    const events = await dispatcher.log(noticeEndpoint(dispatcher.sessions.client.clientId, 'openid.ping'));
    const stored = JSON.stringify(events.map(({ data }) => data));
    expect(stored).toContain(sessionId);
    expect(stored).not.toContain(TOKEN);
    expect(stored).not.toContain(await idOf(sessionId));
  });

  it('is sent again while the receiver refuses it, five times in all', async () => {
    receiver.behaviour = answering(503);
    await cancel(await asked());
    for (let attempt = 1; attempt <= 5; attempt++) {
      await eventually(() => receiver.received.length === attempt);
      await eventually(async () => (await log()).length === attempt + 1);
      dispatcher.clock.advance(30_000);
    }
    await ended('lapsed');
    expect(receiver.received).toHaveLength(5);
  });

  it('survives a restart of the dispatcher, also with a queue that lost its jobs', async () => {
    receiver.behaviour = () => undefined;
    await cancel(await asked());
    await eventually(() => receiver.received.length === 1);
    receiver.behaviour = answersNoContent;
    await dispatcher.restart();
    await ended('succeeded');
    expect(receiver.received).toHaveLength(2);
  });

  it('is not sent for a login that began in a browser, or without a token', async () => {
    await cancel(await asked({ scope: 'openid' }));
    await cancel(await dispatcher.session());
    await cancel(await asked());
    await ended('succeeded');
    expect(receiver.received).toHaveLength(1);
  });

  it('ends where the address is gone, or the client is disabled', async () => {
    const { enableClient } = dispatcher.platform.useCases.relyingParties();
    receiver.behaviour = answering(503);
    await cancel(await asked());
    await eventually(async () => (await log()).length === 2);
    await registered('');
    dispatcher.clock.advance(30_000);
    await ended('disabled');

    await registered(receiver.url);
    await cancel(await asked());
    await eventually(async () => (await log()).length === 5);
    await enableClient.execute(dispatcher.sessions.client.clientId, false);
    dispatcher.clock.advance(30_000);
    await eventually(async () => (await log()).length === 6);
    expect(receiver.received).toHaveLength(2);
  });
});
