import { NO_STREAM, streamName } from '#engines/event-store';
import { testPlatform } from '#testkit/platform/test-platform';
import type { ClientId, EndpointId } from '#kernel';
import { relyingPartyRepositories, WEBHOOK_EVENT_TYPES } from '#domain/relying-party';

import { confirmEndpoint } from '#testkit/webhook/confirm-endpoint';
import { ownAllEndpoints } from '#testkit/webhook/own-endpoints';
import { enveloped } from '#testkit/session/enveloped';

import { type Answer, registryFixture, UNREGISTERED } from './registry.fixture.js';

let api: Awaited<ReturnType<typeof registryFixture>>;
let clientId: string;
/** Ends the work of the endpoints' owner. */
let leave: () => void;
beforeEach(async () => {
  // Loopback addresses are refused, as in production.
  api = await registryFixture(await testPlatform({ WEBHOOK_ALLOWED_NETWORKS: ',', WEBHOOK_PING_LIMIT: '3' }));
  clientId = await api.client();
  const dispatch = api.platform.useCases.webhookDispatch();
  const end = ownAllEndpoints(api.platform.messageBus, dispatch);
  leave = end;
});
afterEach(async () => {
  leave();
  await api.close();
});

const URL = 'https://hooks.rp.example/countersign?tenant=1';

const at = (path = '', client = clientId) => `/clients/${client}/webhook-endpoints${path}`;
const add = async (body: object = {}): Promise<Answer> => api.call('POST', at(), { url: URL, ...body });
const added = async (body: object = {}): Promise<string> => String((await add(body)).body.endpointId);
/** Confirms the endpoint as if its receiver had proved itself. */
const confirm = (endpointId: string): Promise<void> =>
  confirmEndpoint(relyingPartyRepositories(api.platform, 0).webhookEndpoints, {
    clientId: clientId as ClientId,
    endpointId: endpointId as EndpointId,
    at: api.platform.clock.now(),
  });
const UNCONFIRMED = { state: 'unconfirmed', unconfirmedBecause: 'NOT_TRIED' };
const refusal = ({ status, body }: Answer) => ({ status, code: body.errorCode });

describe('POST webhook-endpoints', () => {
  it('answers an id and a secret that no stored event contains in clear', async () => {
    const { status, body, headers } = await add();
    expect(status).toBe(201);
    expect(body).toEqual({
      endpointId: expect.any(String),
      url: URL,
      eventTypes: WEBHOOK_EVENT_TYPES,
      enabled: true,
      state: 'unconfirmed',
      unconfirmedBecause: 'NOT_TRIED',
      secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
    });
    expect(headers['cache-control']).toBe('no-store');
    const stored = await api.platform.eventStore.read(streamName('client', clientId));
    expect(stored.at(-1)?.type).toBe('WebhookEndpointAdded');
    expect(JSON.stringify(stored.map(({ data }) => data))).not.toContain('whsec_');
    expect((await api.call('GET', at())).text).not.toContain('secret');
  });

  it.each([
    ['url', { url: undefined }, '`url` is required.'],
    ['url', { url: 7 }, '`url` must be a string.'],
    ['event_types', { event_types: [] }, '`event_types` must not be empty.'],
    ['event_types', { event_types: ['session.created'] }, '`event_types` may hold session.scanned,'],
    ['event_types', { event_types: ['session.scanned', 'session.scanned'] }, '`event_types` must not hold the same value twice.'],
    ['event_types', { event_types: 'session.scanned' }, '`event_types` must'],
    ['enabled', { enabled: 'yes' }, '`enabled` must be true or false.'],
    ['secret', { secret: 'whsec_mine' }, '`secret` is not a field of this request.'],
  ])('refuses a wrong %s (%#)', async (_, change, text) => {
    const answer = await add(change);
    expect(refusal(answer)).toEqual({ status: 400, code: 'invalid_request' });
    expect(answer.body.defaultTranslation).toContain(text);
  });

  it.each([
    'http://hooks.rp.example/',
    'https://user@hooks.rp.example/',
    'https://hooks.rp.example/#part',
    'https://hooks.rp.example:6379/',
    'https://10.0.0.1/',
    'https://2130706434/',
    'https://0xa9fea9fe/',
    'https://[::ffff:169.254.169.254]/',
    'https://[64:ff9b::a9fe:a9fe]/',
    'https://169.254.169.254/latest/meta-data/',
    'https://localhost/',
    'https://localhost./',
    'https://intranet/',
    'https://db.internal/',
    'https://printer.local./',
    'https://router.home.arpa/',
    'ftp://hooks.rp.example/',
    'file:///etc/passwd',
    'gopher://hooks.rp.example/',
    'javascript:alert(1)',
    '',
    'https://',
    'https://hooks.rp.example/\n',
    `https://hooks.rp.example/${'x'.repeat(2000)}`,
  ])('refuses the address %j, at creation and at change', async (url) => {
    const endpointId = await added();
    for (const answer of [await add({ url }), await api.call('PATCH', at(`/${endpointId}`), { url })]) {
      expect(refusal(answer)).toEqual({ status: 400, code: 'invalid_request' });
      expect(answer.body.defaultTranslation).toMatch(/^`url` must/);
    }
    expect((await api.call('GET', at())).body.webhookEndpoints).toMatchObject([{ url: URL }]);
  });

  it('permits twenty endpoints for a client', async () => {
    for (let count = 0; count < 20; count++) expect((await add()).status).toBe(201);
    expect(refusal(await add())).toEqual({ status: 400, code: 'invalid_request' });
  });
});

describe('GET webhook-endpoints', () => {
  it('answers in pages', async () => {
    const ids = [await added(), await added(), await added()];
    const first = await api.call('GET', at('?limit=2'));
    expect(first.body).toMatchObject({ webhookEndpoints: [{ endpointId: ids[0] }, { endpointId: ids[1] }], next: ids[1] });
    expect((await api.call('GET', at(`?limit=2&after=${ids[1]}`))).body).toEqual({
      webhookEndpoints: [expect.objectContaining({ endpointId: ids[2] })],
    });
    expect(refusal(await api.call('GET', at(`?after=${UNREGISTERED}`)))).toEqual({ status: 400, code: 'invalid_request' });
  });
});

describe('an endpoint', () => {
  it('changes the given members only', async () => {
    const endpointId = await added();
    const disabled = await api.call('PATCH', at(`/${endpointId}`), { enabled: false, event_types: ['session.completed'] });
    expect(disabled.body).toEqual({
      endpointId,
      url: URL,
      eventTypes: ['session.completed'],
      enabled: false,
      disabledBecause: 'STAFF',
      ...UNCONFIRMED,
    });
    const enabled = await api.call('PATCH', at(`/${endpointId}`), { enabled: true });
    expect(enabled.body).toEqual({ endpointId, url: URL, eventTypes: ['session.completed'], enabled: true, ...UNCONFIRMED });
  });

  it('is unconfirmed again at another address alone, and its messages are not recovered then', async () => {
    const endpointId = await added();
    const recover = () => api.call('POST', at(`/${endpointId}/recover`), { since: 0 });
    expect(refusal(await recover())).toEqual({ status: 409, code: 'endpoint_not_confirmed' });
    await confirm(endpointId);
    expect((await api.call('GET', at())).body.webhookEndpoints).toMatchObject([{ state: 'confirmed' }]);
    expect((await recover()).status).toBe(202);
    const kept = await api.call('PATCH', at(`/${endpointId}`), { url: URL, event_types: ['session.completed'] });
    expect(kept.body).toMatchObject({ state: 'confirmed' });
    expect(kept.body).not.toHaveProperty('unconfirmedBecause');
    const moved = await api.call('PATCH', at(`/${endpointId}`), { url: 'https://other.rp.example/' });
    expect(moved.body).toMatchObject(UNCONFIRMED);
    expect(refusal(await recover())).toEqual({ status: 409, code: 'endpoint_not_confirmed' });
  });

  it('gets a new secret, and the previous one also signs for a day', async () => {
    const { body } = await add();
    const rotated = await api.call('POST', at(`/${String(body.endpointId)}/rotate-secret`));
    expect(rotated.status).toBe(200);
    expect(rotated.body.secret).not.toBe(body.secret);
    expect((await api.call('GET', at())).body.webhookEndpoints).toMatchObject([{ previousSecretUntil: api.platform.clock.now() / 1000 + 86_400 }]);
  });

  it('is not found after its removal', async () => {
    const endpointId = await added();
    expect((await api.call('DELETE', at(`/${endpointId}`))).status).toBe(204);
    expect((await api.call('GET', at())).body.webhookEndpoints).toEqual([]);
    expect(refusal(await api.call('DELETE', at(`/${endpointId}`)))).toEqual({ status: 404, code: 'endpoint_not_found' });
  });

  const everyCall = async (path: string, client = clientId): Promise<Answer[]> => [
    await api.call('PATCH', at(path, client), { enabled: true }),
    await api.call('DELETE', at(path, client)),
    await api.call('POST', at(`${path}/rotate-secret`, client)),
    await api.call('POST', at(`${path}/ping`, client)),
    await api.call('POST', at(`${path}/recover`, client), { since: 0 }),
    await api.call('GET', at(`${path}/deliveries`, client)),
    await api.call('POST', at(`${path}/deliveries/${UNREGISTERED}/retry`, client)),
  ];

  it('is not found under an unknown id or under another client', async () => {
    const endpointId = await added();
    const other = await api.client({ name: 'Other' });
    for (const answer of [
      ...(await everyCall(`/${UNREGISTERED}`)),
      ...(await everyCall('/not-a-uuid')),
      ...(await everyCall(`/${endpointId}`, other)),
    ]) {
      expect(refusal(answer)).toEqual({ status: 404, code: 'endpoint_not_found' });
    }
  });

  it('is not found under an unknown client', async () => {
    for (const answer of [
      await api.call('GET', at('', UNREGISTERED)),
      await api.call('POST', at('', UNREGISTERED), { url: URL }),
      ...(await everyCall(`/${UNREGISTERED}`, UNREGISTERED)),
    ]) {
      expect(refusal(answer)).toEqual({ status: 404, code: 'client_not_found' });
    }
  });
});

describe('deliveries', () => {
  const ended = async (type: string) => {
    const sessionId = api.platform.randomness.uuid();
    const stream = streamName('session', sessionId);
    const now = api.platform.clock.now();
    const data = { clientId, signatureType: 'AUTHENTICATION', pushStatus: 'NOT_REQUESTED', sealed: '', at: now, expiresAt: now + 1 };
    const events = enveloped([
      { type: 'SessionCreated', data },
      { type, data: { at: now } },
    ]);
    await api.platform.eventStore.append(stream, NO_STREAM, events);
    return sessionId;
  };

  it('show a ping whose attempt is due', async () => {
    const endpointId = await added({ enabled: false });
    const { status, body } = await api.call('POST', at(`/${endpointId}/ping`));
    expect(status).toBe(202);
    const { deliveryId } = body;
    const now = api.platform.clock.now() / 1000;
    const payload = JSON.stringify({ type: 'endpoint.ping', timestamp: new Date(now * 1000).toISOString(), data: { endpointId } });
    expect((await api.call('GET', at(`/${endpointId}/deliveries`))).body).toEqual({
      deliveries: [{ deliveryId, webhookId: deliveryId, type: 'endpoint.ping', state: 'pending', attempts: [], nextAttemptAt: now, payload }],
    });
    expect(await api.platform.jobQueue.counts('webhook-attempts')).toMatchObject({ due: 1 });
  });

  it('are recovered once for the events of a span of time', async () => {
    const endpointId = await added({ event_types: ['session.expired'] });
    await confirm(endpointId);
    const sessionId = await ended('SessionExpired');
    await ended('SessionScanned');
    const since = api.platform.clock.now() / 1000;
    const recover = async (body: object) => (await api.call('POST', at(`/${endpointId}/recover`), body)).body;
    expect(await recover({ since: 0, until: since })).toEqual({ recovered: 0 });
    expect(await recover({ since })).toEqual({ recovered: 1 });
    expect(await recover({ since })).toEqual({ recovered: 0 });
    expect((await api.call('GET', at(`/${endpointId}/deliveries`))).body.deliveries).toMatchObject([
      { sessionId, type: 'session.expired', state: 'pending' },
    ]);
  });

  it.each([{}, { since: '0' }, { since: -1 }, { since: 1.5 }, { since: 1_767_225_600_000 }, { since: null }, { since: 0, until: 'now' }])(
    'are not recovered with %j',
    async (body) => {
      expect(refusal(await api.call('POST', at(`/${await added()}/recover`), body))).toEqual({ status: 400, code: 'invalid_request' });
    },
  );

  it('are not found under an unknown id', async () => {
    const endpointId = await added();
    for (const id of [UNREGISTERED, 'not-a-uuid'])
      expect(refusal(await api.call('POST', at(`/${endpointId}/deliveries/${id}/retry`)))).toEqual({ status: 404, code: 'delivery_not_found' });
  });

  it('are listed in pages, newest first', async () => {
    const endpointId = await added();
    const ids: unknown[] = [];
    for (let count = 0; count < 3; count++) ids.unshift((await api.call('POST', at(`/${endpointId}/ping`))).body.deliveryId);
    const first = await api.call('GET', at(`/${endpointId}/deliveries?limit=2`));
    expect(first.body).toMatchObject({ deliveries: [{ deliveryId: ids[0] }, { deliveryId: ids[1] }], next: ids[1] });
    expect((await api.call('GET', at(`/${endpointId}/deliveries?after=${String(ids[1])}`))).body).toMatchObject({
      deliveries: [{ deliveryId: ids[2] }],
    });
  });
});
