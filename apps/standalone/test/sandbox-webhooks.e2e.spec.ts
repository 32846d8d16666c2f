import { createServer, type IncomingHttpHeaders } from 'node:http';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import type { AddressInfo } from 'node:net';

import { RelyingPartyClient, verifyWebhook } from '#clients/relying-party';

import { base, post, standalone, useSandbox } from './sandbox.fixture.js';

const REDIRECT_URI = 'http://localhost:5173/callback';
const SECRET = 'whsec_VNSj3dc/OW3nB6Fti3tUedShZ5edP7Lv3nOo4MjjL0I=';

useSandbox({ sandboxRedirectUris: [REDIRECT_URI] });

interface Webhook {
  readonly number: number;
  readonly url?: string;
  readonly headers: Record<string, string>;
  readonly body: string;
}

const seeded = (): { clientId: string; clientSecret: string } => standalone.sandbox!;
const clientOf = (credentials: { clientId: string; clientSecret: string }) => new RelyingPartyClient({ baseUrl: base, ...credentials });
const newClient = async () =>
  (await post('/sandbox/v1/clients', { redirect_uris: [REDIRECT_URI] })).body as unknown as { clientId: string; clientSecret: string };

const list = async (query: string): Promise<{ status: number; body: { webhooks: Webhook[]; errorCode?: string; defaultTranslation?: string } }> => {
  const response = await fetch(`${base}/sandbox/v1/webhooks${query}`);
  return { status: response.status, body: (await response.json()) as { webhooks: Webhook[] } };
};
const webhooksOf = async (clientId: string, more = ''): Promise<Webhook[]> => (await list(`?client_id=${clientId}${more}`)).body.webhooks;

/** Waits for so many. */
const recorded = async (clientId: string, count: number): Promise<Webhook[]> => {
  for (;;) {
    const webhooks = await webhooksOf(clientId);
    if (webhooks.length >= count) return webhooks;
  }
};

const logIn = async (phoneId: string, credentials: { clientId: string; clientSecret: string }): Promise<string> => {
  const login = await clientOf(credentials).beginLogin({ redirectUri: REDIRECT_URI, hostedPage: true });
  const { body } = await post(`/sandbox/v1/phones/${phoneId}/login`, {
    url: `${base.replace('127.0.0.1', 'localhost')}/login/?t=${encodeURIComponent(login.handoffToken)}`,
  });
  if (body.redirect) await clientOf(credentials).finishLogin(login, new URL(body.redirect).searchParams);
  return login.sessionId;
};

const verified = ({ headers, body }: Webhook, secret = SECRET) =>
  verifyWebhook({ headers, body, secrets: [secret], now: standalone.platform.clock.now() });

describe('GET /sandbox/v1/webhooks', () => {
  it('has what a client without an endpoint would get, and the SDK verifies it', async () => {
    const sessionId = await logIn('ok', seeded());
    const webhooks = await recorded(seeded().clientId, 3);
    expect(webhooks.map((webhook) => verified(webhook))).toEqual(
      ['session.scanned', 'session.confirmed', 'session.completed'].map((type) =>
        expect.objectContaining({ type, data: expect.objectContaining({ sessionId }) }),
      ),
    );
    expect(webhooks.map(({ url }) => url)).toEqual([undefined, undefined, undefined]);
    expect(() => verified({ ...webhooks[0]!, body: `${webhooks[0]!.body} ` })).toThrow('SIGNATURE_DIFFERENT');
  });

  it('goes on after the last one that is known', async () => {
    const before = await recorded(seeded().clientId, 3);
    const sessionId = await logIn('decline', seeded());
    await recorded(seeded().clientId, before.length + 2);
    const after = await webhooksOf(seeded().clientId, `&after=${before.at(-1)?.number}`);
    expect(after.map((webhook) => verified(webhook))).toEqual([
      expect.objectContaining({ type: 'session.scanned', data: expect.objectContaining({ sessionId }) }),
      expect.objectContaining({ type: 'session.cancelled', data: expect.objectContaining({ sessionId }) }),
    ]);
    expect(await webhooksOf(seeded().clientId, '&limit=1')).toEqual(before.slice(0, 1));
  });

  it('shows a client nothing of another one', async () => {
    const other = await newClient();
    expect(await webhooksOf(other.clientId)).toEqual([]);
    const sessionId = await logIn('ok', other);
    for (const webhook of await recorded(other.clientId, 3)) expect(verified(webhook)).toMatchObject({ data: { sessionId } });
    expect((await webhooksOf(seeded().clientId)).filter(({ body }) => body.includes(sessionId))).toEqual([]);
  });

  it('has what was sent to the endpoint of a client, to the letter', async () => {
    const arrived: { headers: IncomingHttpHeaders; body: string }[] = [];
    const server = createServer(
      (request, response) =>
        void text(request).then((body) => {
          arrived.push({ headers: request.headers, body });
          response.writeHead(204).end();
        }),
    ).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`;
    const client = await newClient();
    const { addWebhookEndpoint, confirmOwnReceiver } = standalone.platform.useCases.webhooks();
    const clientId = client.clientId as Parameters<typeof addWebhookEndpoint.execute>[0];
    const { endpoint, secret } = await addWebhookEndpoint.execute(clientId, { url, eventTypes: ['session.confirmed'], disabledBecause: null });
    await confirmOwnReceiver.execute(clientId, endpoint.endpointId);
    await logIn('ok', client);
    const [webhook] = await recorded(client.clientId, 1);
    expect(webhook).toMatchObject({ url, body: arrived[0]?.body });
    for (const [name, value] of Object.entries(webhook!.headers)) expect([name, arrived[0]?.headers[name]]).toEqual([name, value]);
    expect(verified(webhook!, secret.reveal())).toMatchObject({ type: 'session.confirmed' });
    server.closeAllConnections();
    server.close();
  });

  it.each([
    ['client_id', ''],
    ['client_id', '?client_id='],
    ['client_id', '?client_id=sandbox'],
    ['after', '?client_id=5a4db000-0000-4000-8000-000000000001&after=-1'],
    ['after', '?client_id=5a4db000-0000-4000-8000-000000000001&after=1e3'],
    ['limit', '?client_id=5a4db000-0000-4000-8000-000000000001&limit=0'],
    ['limit', '?client_id=5a4db000-0000-4000-8000-000000000001&limit=1001'],
  ])('names the wrong parameter: %s (%#)', async (name, query) => {
    const { status, body } = await list(query);
    expect([status, body.errorCode]).toEqual([400, 'invalid_request']);
    expect(body.defaultTranslation).toContain(name);
  });

  it('knows no other client', async () => {
    const { status, body } = await list('?client_id=00000000-0000-4000-8000-000000000000');
    expect([status, body.errorCode]).toEqual([404, 'client_not_found']);
  });

  it('has nothing after a reset', async () => {
    expect((await webhooksOf(seeded().clientId)).length).toBeGreaterThan(0);
    await fetch(`${base}/sandbox/v1/reset`, { method: 'POST' });
    expect(await webhooksOf(seeded().clientId)).toEqual([]);
    await logIn('ok', seeded());
    expect((await recorded(seeded().clientId, 3)).map(({ number }) => number)).toEqual([1, 2, 3]);
  });
});
