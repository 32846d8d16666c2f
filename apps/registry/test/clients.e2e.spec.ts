import { CLIENT, registryFixture, UNREGISTERED } from './registry.fixture.js';

let api: Awaited<ReturnType<typeof registryFixture>>;
beforeEach(async () => {
  api = await registryFixture();
});
afterEach(() => api.close());

describe('the admin token', () => {
  it.each([undefined, 'Bearer', 'Bearer wrong', 'Basic YTpi', 'bearer admin-token-of-the-test'])('is required: %s', async (authorization) => {
    const headers: Record<string, string> = authorization === undefined ? {} : { authorization };
    for (const url of ['/admin/v1/clients', '/admin/v1/unknown', '/admin/v1/identities/x/devices']) {
      const answer = await api.app.inject({ method: 'GET', url, headers });
      expect(answer.statusCode).toBe(401);
      expect(answer.json()).toMatchObject({ errorCode: 'unauthorized', payload: null });
      expect(answer.headers['www-authenticate']).toMatch(/^Bearer/);
    }
  });

  it('is checked before the body is read', async () => {
    const headers = { 'content-type': 'application/json' };
    const answer = await api.app.inject({ method: 'POST', url: '/admin/v1/clients', headers, payload: '{' });
    expect(answer.statusCode).toBe(401);
  });
});

describe('POST /clients', () => {
  it('answers an id and a secret that authenticate the client', async () => {
    const { status, body, headers } = await api.call('POST', '/clients', {
      ...CLIENT,
      allowed_attributes: ['name'],
      allowed_predicates: ['ageOver*'],
      dynamic_qr: false,
    });
    expect(status).toBe(201);
    expect(Object.keys(body)).toEqual(['clientId', 'clientSecret']);
    expect(headers['cache-control']).toBe('no-store');
    expect(await api.authenticates(String(body.clientId), body.clientSecret)).toBe(true);
    expect(await api.events('client', String(body.clientId))).toEqual(['ClientRegistered', 'SecretIssued']);
    expect((await api.call('GET', `/clients/${String(body.clientId)}`)).body).toEqual({
      clientId: body.clientId,
      name: 'Shop',
      redirectUris: ['https://rp.example/callback'],
      allowedAttributes: ['name'],
      allowedPredicates: ['ageOver*'],
      dynamicQr: false,
      enabled: true,
    });
  });

  it('permits no attribute or predicate that the body does not list', async () => {
    const clientId = await api.client();
    expect((await api.call('GET', `/clients/${clientId}`)).body).toMatchObject({ allowedAttributes: [], allowedPredicates: [], dynamicQr: false });
  });

  it('refuses a taken name and stores nothing', async () => {
    await api.client();
    const { status, body } = await api.call('POST', '/clients', { ...CLIENT, name: 'SHOP' });
    expect({ status, code: body.errorCode }).toEqual({ status: 409, code: 'name_taken' });
    expect((await api.call('GET', '/clients')).body.clients).toHaveLength(1);
  });

  it('refuses a name that looks like another one, says so, and stores nothing', async () => {
    await api.client({ name: 'Ilves' });
    const { status, body } = await api.call('POST', '/clients', { ...CLIENT, name: 'llves' });
    expect({ status, code: body.errorCode, text: body.defaultTranslation }).toEqual({
      status: 409,
      code: 'name_taken',
      text: "The name looks like another client's name.",
    });
    expect((await api.call('GET', '/clients')).body.clients).toHaveLength(1);
  });

  it.each([
    ['name', { name: 'Sh\u043Ep' }, '`name` must not mix scripts within a word, such as Latin and Cyrillic letters.'],
    ['name', { name: undefined }, '`name` is required.'],
    ['name', { name: 'ab' }, '`name` must have 3 to 64 characters.'],
    ['name', { name: 'x'.repeat(65) }, '`name` must have 3 to 64 characters.'],
    ['name', { name: 7 }, '`name` must be a string.'],
    ['name', { name: null }, '`name` is required.'],
    ['name', { name: 'Shop\u202e' }, '`name` must hold no control or direction-override character.'],
    ['redirect_uris', { redirect_uris: undefined }, '`redirect_uris` is required.'],
    ['redirect_uris', { redirect_uris: 'https://rp.example' }, '`redirect_uris` must be an array of strings.'],
    ['redirect_uris', { redirect_uris: [null] }, '`redirect_uris` must be an array of strings.'],
    ['redirect_uris', { redirect_uris: [['https://rp.example']] }, '`redirect_uris` must be an array of strings.'],
    ['redirect_uris', { redirect_uris: ['https://rp.example', 'javascript:alert(1)'] }, '`redirect_uris[1]` must be an absolute https URI.'],
    ['redirect_uris', { redirect_uris: ['https://rp.example', 'https://rp.example'] }, '`redirect_uris[1]` is there twice.'],
    ['allowed_attributes', { allowed_attributes: ['__proto__'] }, '`allowed_attributes[0]` is no attribute name.'],
    ['allowed_attributes', { allowed_attributes: { 0: 'name', length: 1 } }, '`allowed_attributes` must be an array of strings.'],
    ['allowed_predicates', { allowed_predicates: ['countryIs*'] }, '`allowed_predicates[0]` must be'],
    ['finish_by_number', { finish_by_number: 1 }, '`finish_by_number` must be true or false.'],
    [
      'finish_by_number with dynamic_qr',
      { finish_by_number: true, dynamic_qr: true },
      '`finish_by_number` cannot be on together with `dynamic_qr`, which it would undo.',
    ],
    ['dynamic_qr', { dynamic_qr: 'false' }, '`dynamic_qr` must be true or false.'],
    ['jwks', { jwks: { keys: ['key'] } }, '`jwks.keys[0]` must be a JWK.'],
    [
      'address',
      { backchannel_client_notification_endpoint: 'http://rp.example/' },
      '`backchannel_client_notification_endpoint` must begin with https://.',
    ],
    ['address', { backchannel_logout_uri: 'https://rp.internal/' }, '`backchannel_logout_uri` must name a public host.'],
    ['redirectUris', { redirectUris: [] }, '`redirectUris` is not a field of this request; did you mean `redirect_uris`?'],
    ['clientId', { clientId: UNREGISTERED }, '`clientId` is not a field of this request.'],
  ])('refuses a wrong %s (%#)', async (_, change, text) => {
    const { status, body } = await api.call('POST', '/clients', { ...CLIENT, ...change });
    expect({ status, code: body.errorCode }).toEqual({ status: 400, code: 'invalid_request' });
    expect(body.defaultTranslation).toContain(text);
    expect((await api.call('GET', '/clients')).body.clients).toEqual([]);
  });

  it.each(['https://rp.example/вход', 'https://rp.example/cb?state=mine', 'https://rp.example/cb?c%6Fde=1', 'https://bücher.example/'])(
    'refuses the redirect URI %s in words, at a change too',
    async (uri) => {
      const clientId = await api.client();
      for (const answer of [
        await api.call('POST', '/clients', { ...CLIENT, name: 'Other', redirect_uris: [...CLIENT.redirect_uris, uri] }),
        await api.call('PATCH', `/clients/${clientId}`, { redirect_uris: [...CLIENT.redirect_uris, uri] }),
      ]) {
        expect({ status: answer.status, code: answer.body.errorCode }).toEqual({ status: 400, code: 'invalid_request' });
        expect(answer.body.defaultTranslation).toMatch(
          /^`redirect_uris\[1\]` must (hold only characters of RFC 3986|not hold the parameter (state|code)),?/,
        );
      }
    },
  );

  it.each(['[]', '"text"', 'null', '{', ''])('refuses the body %j', async (payload) => {
    const headers = { authorization: `Bearer ${api.platform.adminToken.reveal()}`, 'content-type': 'application/json' };
    const answer = await api.app.inject({ method: 'POST', url: '/admin/v1/clients', headers, payload });
    expect({ status: answer.statusCode, body: answer.json() as unknown }).toMatchObject({ status: 400, body: { errorCode: 'invalid_request' } });
  });
});

describe('GET /clients', () => {
  it('answers in pages, in the order of registration', async () => {
    const ids: string[] = [];
    for (const name of ['One', 'Two', 'Three']) ids.push(await api.client({ name }));
    const first = await api.call('GET', '/clients?limit=2');
    expect(first.body).toMatchObject({ clients: [{ clientId: ids[0], name: 'One' }, { clientId: ids[1] }], next: ids[1] });
    const second = await api.call('GET', `/clients?limit=2&after=${ids[1]?.toUpperCase()}`);
    expect(second.body).toMatchObject({ clients: [{ clientId: ids[2] }] });
    expect(second.body).not.toHaveProperty('next');
    expect(first.text).not.toMatch(/secret/i);
  });

  it.each(['limit=0', 'limit=101', 'limit=x', 'limit=1.5', 'limit=-1', 'limit=', 'limit=1&limit=2', 'after=x', `after=${UNREGISTERED}`])(
    'refuses ?%s',
    async (query) => {
      const { status, body } = await api.call('GET', `/clients?${query}`);
      expect({ status, code: body.errorCode }).toEqual({ status: 400, code: 'invalid_request' });
      expect(body.defaultTranslation).toContain(`\`${query.slice(0, 5)}\``);
    },
  );
});

describe('GET and PATCH /clients/{clientId}', () => {
  it.each([UNREGISTERED, 'not-a-uuid', '%00', '..%2f'])('answer 404 for the client %s', async (id) => {
    for (const answer of [
      await api.call('GET', `/clients/${id}`),
      await api.call('PATCH', `/clients/${id}`, {}),
      await api.call('POST', `/clients/${id}/secret`),
    ]) {
      expect({ status: answer.status, code: answer.body.errorCode }).toEqual({ status: 404, code: 'client_not_found' });
    }
  });

  it('change the given members only', async () => {
    const clientId = await api.client({ allowed_attributes: ['name'] });
    const { status, body } = await api.call('PATCH', `/clients/${clientId}`, { name: 'Store', redirect_uris: [] });
    expect(status).toBe(200);
    expect(body).toMatchObject({ clientId, name: 'Store', redirectUris: [], allowedAttributes: ['name'] });
    expect((await api.call('GET', '/clients')).body.clients).toEqual([body]);
    expect(await api.events('client', clientId)).toEqual(['ClientRegistered', 'SecretIssued', 'ClientChanged']);
  });

  it('store nothing when nothing changes', async () => {
    const clientId = await api.client();
    expect((await api.call('PATCH', `/clients/${clientId}`, {})).status).toBe(200);
    expect((await api.call('PATCH', `/clients/${clientId}`, CLIENT)).status).toBe(200);
    expect(await api.events('client', clientId)).toEqual(['ClientRegistered', 'SecretIssued']);
  });

  it("refuse another client's name, and free the one that is given up", async () => {
    await api.client();
    const other = await api.client({ name: 'Other' });
    expect((await api.call('PATCH', `/clients/${other}`, { name: 'Shop' })).body.errorCode).toBe('name_taken');
    expect((await api.call('PATCH', `/clients/${other}`, { name: 'Another' })).status).toBe(200);
    expect((await api.call('POST', '/clients', { ...CLIENT, name: 'Other' })).status).toBe(201);
  });

  it('take null for a field as its absence', async () => {
    const clientId = await api.client();
    const { body: before } = await api.call('GET', `/clients/${clientId}`);
    expect((await api.call('PATCH', `/clients/${clientId}`, { name: null, redirect_uris: null, allowed_attributes: null })).status).toBe(200);
    expect((await api.call('GET', `/clients/${clientId}`)).body).toEqual(before);
  });

  it('apply the rules of a registration', async () => {
    const clientId = await api.client();
    for (const change of [{ name: 'ab' }, { redirect_uris: ['http://rp.example'] }, { dynamic_qr: 'yes' }, { client_id: 'x' }]) {
      expect((await api.call('PATCH', `/clients/${clientId}`, change)).body.errorCode).toBe('invalid_request');
    }
    expect(await api.events('client', clientId)).toEqual(['ClientRegistered', 'SecretIssued']);
  });
});

describe('POST /clients/{clientId}/secret', () => {
  it('answers a new secret and invalidates the old one', async () => {
    const { body } = await api.call('POST', '/clients', CLIENT);
    const clientId = String(body.clientId);
    const renewed = await api.call('POST', `/clients/${clientId}/secret`);
    expect(renewed.status).toBe(200);
    expect(Object.keys(renewed.body)).toEqual(['clientSecret']);
    expect(await api.authenticates(clientId, body.clientSecret)).toBe(false);
    expect(await api.authenticates(clientId, renewed.body.clientSecret)).toBe(true);
    expect(await api.events('client', clientId)).toEqual(['ClientRegistered', 'SecretIssued', 'SecretIssued']);
  });

  it('answers to GET how old the secret is, never the secret, and nothing of a client that is unknown or deleted', async () => {
    const { body } = await api.call('POST', '/clients', CLIENT);
    const path = `/clients/${String(body.clientId)}/secret`;
    const issuedAt = async () => (await api.call('GET', path)).body['issuedAt'] as number;
    const first = await issuedAt();
    expect((await api.call('GET', path)).body).toEqual({ issuedAt: Math.floor(api.platform.clock.now() / 1000) });
    api.platform.clock.advance(60_000);
    await api.call('POST', path);
    expect(await issuedAt()).toBe(first + 60);
    await api.call('DELETE', `/clients/${String(body.clientId)}`);
    for (const gone of [path, '/clients/00000000-0000-4000-8000-000000000000/secret'])
      expect((await api.call('GET', gone)).body.errorCode).toBe('client_not_found');
  });
});

it('is ready whether its lists are built or not', async () => {
  await api.platform.projections.close();
  for (const check of api.platform.readiness.values()) await check();
});

describe('the read model', () => {
  it('is listed, and rebuilt while the service runs', async () => {
    const ids = [await api.client({ name: 'One' }), await api.client({ name: 'Two' })];
    const before = await api.call('GET', '/clients');
    expect((await api.call('POST', '/projections/clients/rebuild')).status).toBe(202);
    expect(await api.call('GET', '/clients')).toMatchObject({ status: 200, body: before.body });
    const { body } = await api.call('GET', '/projections');
    expect(body.projections).toContainEqual({ name: 'clients', version: 3, complete: true, position: expect.any(Number) });
    expect(ids).toHaveLength(2);
    expect((await api.call('POST', '/projections/none/rebuild')).body.errorCode).toBe('not_found');
  });

  it('answers 503 with Retry-After while its database is unavailable, and the clients still work', async () => {
    const id = await api.client({ name: 'One' });
    await api.platform.projections.close();
    const answer = await api.call('GET', '/clients');
    expect([answer.status, answer.body.errorCode, answer.headers['retry-after']]).toEqual([503, 'service_unavailable', expect.any(String)]);
    expect((await api.call('GET', `/clients/${id}`)).status).toBe(200);
  });
});
