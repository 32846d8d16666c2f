import { CLIENT, registryFixture, UNREGISTERED } from './registry.fixture.js';

let api: Awaited<ReturnType<typeof registryFixture>>;
beforeEach(async () => {
  api = await registryFixture();
});
afterEach(() => api.close());

describe('DELETE /clients/{clientId}', () => {
  it('ends the secret, the webhook endpoints and the logo, and stores one event of each kind', async () => {
    const { body } = await api.call('POST', '/clients', CLIENT);
    const clientId = String(body.clientId);
    await api.call('POST', `/clients/${clientId}/webhook-endpoints`, { url: 'https://rp.example/hooks' });
    const { status, text } = await api.call('DELETE', `/clients/${clientId}`);
    expect({ status, text }).toEqual({ status: 204, text: '' });
    expect(await api.authenticates(clientId, body.clientSecret)).toBe(false);
    expect(await api.events('client', clientId)).toEqual([
      'ClientRegistered',
      'SecretIssued',
      'WebhookEndpointAdded',
      'WebhookEndpointRemoved',
      'ClientDeleted',
    ]);
  });

  it('leaves nothing to read, to change or to delete', async () => {
    const clientId = await api.client();
    await api.call('DELETE', `/clients/${clientId}`);
    expect((await api.call('GET', '/clients')).body).toEqual({ clients: [] });
    for (const [method, path] of [
      ['GET', ''],
      ['DELETE', ''],
      ['POST', '/secret'],
      ['POST', '/enable'],
      ['POST', '/disable'],
      ['GET', '/logo'],
      ['GET', '/webhook-endpoints'],
    ] as const) {
      const { status, body } = await api.call(method, `/clients/${clientId}${path}`);
      expect([path, status, body.errorCode]).toEqual([path, 404, 'client_not_found']);
    }
    expect((await api.call('PATCH', `/clients/${clientId}`, { name: 'Anew' })).body.errorCode).toBe('client_not_found');
    expect(await api.events('client', clientId)).toEqual(['ClientRegistered', 'SecretIssued', 'ClientDeleted']);
  });

  it('frees the name for another client', async () => {
    const clientId = await api.client();
    expect((await api.call('POST', '/clients', CLIENT)).body.errorCode).toBe('name_taken');
    await api.call('DELETE', `/clients/${clientId}`);
    const { status, body } = await api.call('POST', '/clients', CLIENT);
    expect(status).toBe(201);
    expect(body.clientId).not.toBe(clientId);
  });

  it('answers 404 for an unknown client', async () => {
    for (const id of [UNREGISTERED, 'not-a-uuid']) expect((await api.call('DELETE', `/clients/${id}`)).body.errorCode).toBe('client_not_found');
  });
});
