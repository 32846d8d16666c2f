import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { decodeProtectedHeader, type JWTPayload, jwtVerify, createLocalJWKSet } from 'jose';

import type { ClientId } from '#kernel';
import { eventually } from '#testkit/kernel/eventually';
import { noticeEndpoint } from '#domain/webhook';

import { dispatcherFixture } from './dispatcher.fixture.js';

/** A relying party's server that takes forms. */
let server: Server;
let received: { readonly headers: IncomingHttpHeaders; readonly form: URLSearchParams }[];
let status: number;
let dispatcher: Awaited<ReturnType<typeof dispatcherFixture>>;
beforeEach(async () => {
  [received, status] = [[], 204];
  server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    request.on('end', () => {
      received.push({ headers: request.headers, form: new URLSearchParams(text) });
      response.writeHead(status).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  dispatcher = await dispatcherFixture();
  await registered(client());
});
afterEach(async () => {
  await dispatcher.close();
  server.close();
});

const client = (): ClientId => dispatcher.sessions.client.clientId;
const url = (): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}/logout`;
const registered = (clientId: ClientId, backchannelLogoutUri = url()) =>
  dispatcher.platform.useCases.relyingParties().changeClient.execute(clientId, { backchannelLogoutUri });
/** The person has logged in at the client. */
const linked = (clientId = client()) => dispatcher.platform.useCases.identity().linkSubject.execute(clientId, dispatcher.sessions.identityId);
const erase = () => dispatcher.platform.useCases.erasures().eraseIdentity.execute(dispatcher.sessions.identityId);
const log = async (clientId = client()) => {
  const events = await dispatcher.log(noticeEndpoint(clientId, 'openid.logout'));
  return events.map(({ type, data }) => [type, 'end' in data ? data.end : undefined]);
};
const ended = (end: string) => eventually(async () => (await log()).at(-1)?.[1] === end);
const verified = async ({ form }: { readonly form: URLSearchParams }): Promise<JWTPayload> => {
  const keys = createLocalJWKSet({ keys: dispatcher.platform.useCases.openid().signingKeys.published() as never });
  const options = {
    issuer: dispatcher.platform.settings.issuerUrl,
    audience: client(),
    typ: 'logout+jwt',
    currentDate: new Date(dispatcher.clock.now()),
  };
  return (await jwtVerify(form.get('logout_token') ?? '', keys, options)).payload;
};

describe('the erasure of a person', () => {
  it('posts one logout token to the client where the person has logged in', async () => {
    const sub = await linked();
    await erase();
    await ended('succeeded');
    const [{ headers, form }] = received as [(typeof received)[number]];
    expect([received.length, headers['content-type'], [...form.keys()]]).toEqual([1, 'application/x-www-form-urlencoded', ['logout_token']]);
    const now = Math.floor(dispatcher.clock.now() / 1000);
    expect(await verified({ form })).toEqual({
      iss: dispatcher.platform.settings.issuerUrl,
      aud: client(),
      sub,
      iat: now,
      exp: now + 120,
      jti: expect.any(String),
      events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
    });
    expect(decodeProtectedHeader(form.get('logout_token') ?? '')).toEqual({ alg: 'RS256', kid: 'first-rs256', typ: 'logout+jwt' });
  });

  it('leaves nothing that a client could recognise in the log', async () => {
    const sub = await linked();
    await erase();
    await ended('succeeded');
    const events = await dispatcher.log(noticeEndpoint(client(), 'openid.logout'));
    expect(JSON.stringify(events.map(({ data }) => data))).not.toContain(sub);
  });

  it('tells each client by its own name of the person, and no client that does not know the person', async () => {
    const { clientId: other } = dispatcher.sessions.other;
    await registered(other);
    await linked();
    await erase();
    await ended('succeeded');
    expect(await log(other)).toEqual([]);
    expect(received).toHaveLength(1);
  });

  it('tries again with a token of the moment, and is repeated without a second notice', async () => {
    status = 503;
    await linked();
    await erase();
    await eventually(async () => (await log()).length === 2);
    dispatcher.clock.advance(10_000);
    status = 200;
    await ended('succeeded');
    const [first, second] = received.map(({ form }) => form.get('logout_token'));
    expect(received).toHaveLength(2);
    expect(first).not.toBe(second);
    await verified(received[1]!);
  });

  it('sends no token to a client without an address', async () => {
    await registered(client(), '');
    await linked();
    await erase();
    expect(await log()).toEqual([]);
  });

  it('is refused as a hint in place of an ID token', async () => {
    await linked();
    await erase();
    await ended('succeeded');
    const token = received[0]?.form.get('logout_token') ?? '';
    const { beginBackchannelLogin } = dispatcher.platform.useCases.openid();
    const found = (await dispatcher.platform.useCases.relyingParties().findClient.execute(client()))!;
    await expect(beginBackchannelLogin.execute({ scope: 'openid', id_token_hint: token }, found)).rejects.toMatchObject({ code: 'invalid_request' });
  });
});
