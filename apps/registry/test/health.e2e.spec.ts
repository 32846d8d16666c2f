import { jest } from '@jest/globals';

import { EventStoreUnavailable, NO_STREAM, streamName } from '#engines/event-store';
import { epochSeconds, ServiceUnavailable } from '#kernel';
import { eventually } from '#testkit/kernel/eventually';
import { DeadLetterStream } from '#engines/message-bus';
import { TrustServiceHealth } from '#service/platform';
import { CONSUMER_GROUPS, SESSION_EVENTS_TOPIC } from '#domain/session';

import { registryFixture } from './registry.fixture.js';

type Json = Record<string, unknown>;

let api: Awaited<ReturnType<typeof registryFixture>>;
beforeEach(async () => {
  api = await registryFixture();
});
afterEach(() => api.close());

const health = async (): Promise<Json> => {
  const { status, body } = await api.call('GET', '/health');
  expect(status).toBe(200);
  return body;
};
const listed = async (member: string): Promise<readonly Json[]> => ((await health())[member] ?? []) as readonly Json[];
const now = (): number => epochSeconds(api.platform.clock.now());

/** An endpoint of a new client at which one attempt ended so. */
const endpointWith = async (status: number, name: string): Promise<{ clientId: string; endpointId: string }> => {
  const clientId = await api.client({ name });
  const { body } = await api.call('POST', `/clients/${clientId}/webhook-endpoints`, { url: 'https://hooks.rp.example/one' });
  const endpointId = String(body['endpointId']);
  const at = api.platform.clock.now();
  const deliveryId = api.platform.randomness.uuid<string>();
  const message = { type: 'session.scanned', happenedAt: at, data: { sessionId: deliveryId, sequence: 1 } };
  const outcome = status < 300 ? { end: 'succeeded' } : { nextAt: at + 1 };
  await api.platform.eventStore.append(streamName('deliverylog', endpointId), NO_STREAM, [
    { type: 'DeliveryAdded', data: { at, deliveryId, clientId, message } },
    { type: 'DeliveryAttempted', data: { at, deliveryId, attempt: 1, status, ...outcome } },
  ]);
  return { clientId, endpointId };
};

describe('GET /health', () => {
  it('says of a new service that nothing fails', async () => {
    await eventually(async () => (await health())['projections'] !== undefined, { what: 'the read models have their tables' });
    expect(await health()).toEqual({
      webhookEndpoints: [],
      deadLetters: Object.values(CONSUMER_GROUPS).map((group) => ({ group, waiting: 0 })),
      projections: expect.arrayContaining([expect.objectContaining({ name: 'clients' }), expect.objectContaining({ name: 'deliveries' })]),
      trustServices: [{ service: 'CA' }, { service: 'TSA' }, { service: 'OCSP' }],
    });
  });

  it('lists the endpoints of all clients at which the last attempt failed, not those that work or that a member switched off', async () => {
    const failing = await endpointWith(500, 'Failing');
    await endpointWith(204, 'Working');
    const off = await endpointWith(500, 'Off');
    await api.call('PATCH', `/clients/${off.clientId}/webhook-endpoints/${off.endpointId}`, { enabled: false });
    const gone = await endpointWith(500, 'Gone');
    await api.call('DELETE', `/clients/${gone.clientId}`);
    const shown = { ...failing, clientName: 'Failing', url: 'https://hooks.rp.example/one', enabled: true, failingSince: now() };
    await eventually(async () => (await listed('webhookEndpoints')).length === 1, { what: 'one endpoint fails' });
    expect(await listed('webhookEndpoints')).toEqual([shown]);
  });

  it('counts the messages that a group has set aside, until an operator hands them over again', async () => {
    const { eventStore, clock } = api.platform;
    const group = CONSUMER_GROUPS.webhooks;
    const letters = new DeadLetterStream(eventStore, clock, { topic: SESSION_EVENTS_TOPIC, group });
    await letters.keep({ reason: 'unknown type', at: clock.now() - 60_000, origin: 'position 1' });
    await letters.keep({ reason: 'unknown type', at: clock.now(), origin: 'position 2' });
    const ofGroup = async () => (await listed('deadLetters')).find((each) => each['group'] === group);
    expect(await ofGroup()).toEqual({ group, waiting: 2, newestAt: now() });
    await letters.redrive();
    expect(await ofGroup()).toEqual({ group, waiting: 0 });
  });

  it('shows the read models that have caught up', async () => {
    await api.client();
    const clients = async () => (await listed('projections')).find(({ name }) => name === 'clients');
    await eventually(async () => (await clients())?.['waiting'] === 0, { what: 'the list of clients shows the client' });
    expect(await clients()).toEqual({ name: 'clients', complete: true, waiting: 0 });
  });

  it('shows when each trust service last succeeded and failed, as any process has noted it', async () => {
    const signing = new TrustServiceHealth(api.platform);
    await signing.watch('TSA', async () => undefined);
    await signing.watch('OCSP', () => Promise.reject(new ServiceUnavailable('no answer'))).catch(() => undefined);
    const expected = [{ service: 'CA' }, { service: 'TSA', lastSuccessAt: now() }, { service: 'OCSP', lastFailureAt: now() }];
    await eventually(async () => JSON.stringify(await listed('trustServices')) === JSON.stringify(expected), { what: 'both outcomes are stored' });
  });

  it('leaves out what it cannot read, and shows the rest', async () => {
    jest.spyOn(api.platform.projections, 'backlogs').mockRejectedValue(new EventStoreUnavailable('the store is unavailable'));
    const body = await health();
    expect(Object.keys(body)).toEqual(['webhookEndpoints', 'deadLetters', 'trustServices']);
  });
});
