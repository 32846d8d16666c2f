import { streamName } from '#engines/event-store';
import { erasureUseCases, identityRepositories } from '#domain/identity';
import { type ClientId, type DeviceId, type IdentityId, ServiceUnavailable, type SessionId, sha256Base64url } from '#kernel';
import { type TestPlatform, testPlatform } from '#testkit/platform/test-platform';

import { MARI, registryFixture, UNREGISTERED } from './registry.fixture.js';

let api: Awaited<ReturnType<typeof registryFixture>>;
beforeEach(async () => {
  api = await registryFixture();
});
afterEach(() => api.close());

const UNKNOWN = [UNREGISTERED, 'not-a-uuid', '%00'];
const activationCode = async (identityId: string): Promise<string> =>
  (await api.call('POST', `/identities/${identityId}/activation-codes`)).body.activationCode as string;

describe('POST /identities', () => {
  it('registers a person and lists the data', async () => {
    const { status, body } = await api.call('POST', '/identities', { ...MARI, email: 'mari@example.com', phone_number: '+37255512345' });
    expect(status).toBe(201);
    expect(Object.keys(body)).toEqual(['identityId']);
    expect((await api.call('GET', '/identities')).body).toEqual({
      identities: [
        {
          identityId: body.identityId,
          givenName: 'Mari',
          familyName: 'Maasikas',
          personalCode: '47101010033',
          dateOfBirth: '1971-01-01',
          country: 'EE',
          email: 'mari@example.com',
          phoneNumber: '+37255512345',
        },
      ],
    });
    expect(await api.events('identity', String(body.identityId))).toEqual(['IdentityRegistered']);
  });

  it('registers a person once, by country and code', async () => {
    await api.identity();
    const { status, body } = await api.call('POST', '/identities', { ...MARI, given_name: 'Other' });
    expect({ status, code: body.errorCode }).toEqual({ status: 409, code: 'identity_exists' });
    expect((await api.call('POST', '/identities', { ...MARI, country: 'LV' })).status).toBe(201);
  });

  it.each([
    ['given_name', { given_name: undefined, family_name: '' }, '`given_name` or `family_name` is required'],
    ['given_name', { given_name: null, family_name: null }, '`given_name` or `family_name` is required'],
    ['family_name', { family_name: 'x\u0000' }, '`family_name` must hold no control'],
    ['family_name', { family_name: ['x'] }, '`family_name` must be a string.'],
    ['personal_code', { personal_code: 47101010033 }, '`personal_code` must be a string.'],
    ['personal_code', { personal_code: 'ä' }, '`personal_code` must have 1 to 32 characters of A-Z a-z 0-9 - +.'],
    ['date_of_birth', { date_of_birth: '1971-02-30' }, '`date_of_birth` must be a calendar date'],
    ['date_of_birth', { date_of_birth: '2026-01-02' }, '`date_of_birth` must lie between 1850 and today.'],
    ['date_of_birth', { date_of_birth: '' }, '`date_of_birth` must be a calendar date'],
    ['country', { country: 'ee' }, '`country` must be an ISO 3166-1 alpha-2 code in capitals, or XK.'],
    ['country', { country: 'XX' }, '`country` must be'],
    ['email', { email: 'mari' }, '`email` must be an e-mail address.'],
    ['phone_number', { phone_number: '123' }, '`phone_number` must be written as in E.164'],
    ['givenName', { givenName: 'Mari' }, '`givenName` is not a field of this request; did you mean `given_name`?'],
  ])('refuses a wrong %s (%#), never repeating the value', async (_, change, text) => {
    const { status, body } = await api.call('POST', '/identities', { ...MARI, ...change });
    expect({ status, code: body.errorCode }).toEqual({ status: 400, code: 'invalid_request' });
    expect(body.defaultTranslation).toContain(text);
    expect((await api.call('GET', '/identities')).body).toEqual({ identities: [] });
  });
});

describe('GET /identities', () => {
  it('answers in pages', async () => {
    const ids: string[] = [];
    for (const personal_code of ['1', '2', '3']) ids.push(await api.identity({ personal_code }));
    expect((await api.call('GET', '/identities?limit=2')).body).toMatchObject({
      identities: [{ personalCode: '1' }, { personalCode: '2' }],
      next: ids[1],
    });
    const { body } = await api.call('GET', `/identities?limit=2&after=${ids[1]}`);
    expect(body).toMatchObject({ identities: [{ personalCode: '3' }] });
    expect(body).not.toHaveProperty('next');
  });
});

describe('POST /identities/{identityId}/activation-codes', () => {
  it('answers a code for 15 minutes, and the link that opens the web phone with it', async () => {
    const identityId = await api.identity();
    const { status, body } = await api.call('POST', `/identities/${identityId}/activation-codes`);
    expect(status).toBe(201);
    expect(body).toEqual({
      activationCode: expect.stringMatching(/^[A-Za-z0-9_-]{60,120}$/),
      expiresAt: Math.floor(api.platform.clock.now() / 1000) + 900,
      link: `http://localhost:3000/phone/#activate=${String(body.activationCode)}`,
    });
    const stored = await api.platform.eventStore.read(`identity-${identityId}` as never);
    expect(JSON.stringify(stored.map(({ data }) => data))).not.toContain(String(body.activationCode));
    await api.enrol(String(body.activationCode));
    await expect(api.enrol(String(body.activationCode))).rejects.toMatchObject({ code: 'invalid_activation_code' });
  });

  it.each(UNKNOWN)('answers 404 for the identity %s', async (id) => {
    const { status, body } = await api.call('POST', `/identities/${id}/activation-codes`);
    expect({ status, code: body.errorCode }).toEqual({ status: 404, code: 'identity_not_found' });
  });
});

describe('devices', () => {
  it('are listed with their status, in pages', async () => {
    const identityId = await api.identity();
    const first = await api.enrol(await activationCode(identityId));
    const second = await api.enrol(await activationCode(identityId));
    const { checkPin } = api.platform.useCases.identity();
    for (const pin of ['1', '2', '3'])
      await checkPin.execute({ deviceId: second.deviceId, sessionId: 's' as SessionId, pinProof: sha256Base64url(pin) });
    const now = Math.floor(api.platform.clock.now() / 1000);
    const device = { name: "Mari's phone", platform: 'test', enrolledAt: now };
    expect((await api.call('GET', `/identities/${identityId}/devices`)).body).toEqual({
      devices: [
        { deviceId: first.deviceId, ...device, status: 'ACTIVE' },
        { deviceId: second.deviceId, ...device, status: 'LOCKED', lockedUntil: now + 3 * 3600 },
      ],
    });
    expect((await api.call('GET', `/identities/${identityId}/devices?limit=1`)).body).toMatchObject({
      devices: [{ deviceId: first.deviceId }],
      next: first.deviceId,
    });
  });

  it('are revoked permanently, and a repeated request succeeds', async () => {
    const identityId = await api.identity();
    const { deviceId } = await api.enrol(await activationCode(identityId));
    for (let time = 0; time < 2; time++) expect((await api.call('DELETE', `/identities/${identityId}/devices/${deviceId}`)).status).toBe(204);
    expect(await api.events('device', deviceId)).toEqual(['DeviceEnrolled', 'DeviceRevoked']);
    expect((await api.call('GET', `/identities/${identityId}/devices`)).body).toMatchObject({ devices: [{ deviceId, status: 'REVOKED' }] });
  });

  it('of another person are not found', async () => {
    const identityId = await api.identity();
    const other = await api.identity({ personal_code: '2' });
    const { deviceId } = await api.enrol(await activationCode(identityId));
    for (const path of [
      `/identities/${other}/devices/${deviceId}`,
      `/identities/${identityId}/devices/${UNREGISTERED}`,
      `/identities/${identityId}/devices/x`,
    ]) {
      const { status, body } = await api.call('DELETE', path);
      expect({ status, code: body.errorCode }).toEqual({ status: 404, code: 'device_not_found' });
    }
    expect(await api.events('device', deviceId)).toEqual(['DeviceEnrolled']);
  });

  it.each(UNKNOWN)('of an unknown person are not found: %s', async (id) => {
    for (const answer of [
      await api.call('GET', `/identities/${id}/devices`),
      await api.call('DELETE', `/identities/${id}/devices/${UNREGISTERED}`),
    ]) {
      expect({ status: answer.status, code: answer.body.errorCode }).toEqual({ status: 404, code: 'identity_not_found' });
    }
  });
});

/** Resolves when the erasure of the person is complete. */
const erased = async ({ eventStore, stopping }: TestPlatform, identityId: IdentityId): Promise<void> => {
  for await (const item of eventStore.subscribe({ categories: ['identity'], signal: stopping })) {
    if (item !== 'caught-up' && item.type === 'ErasureCompleted' && item.stream === streamName('identity', identityId)) return;
  }
  throw new Error('the erasure was not completed');
};

describe('DELETE /identities/{identityId}', () => {
  it('erases the person with devices and subjectIds', async () => {
    const identityId = (await api.identity()) as IdentityId;
    const clientId = (await api.client()) as ClientId;
    const { deviceId } = await api.enrol(await activationCode(identityId));
    const { linkSubject, findDevice, resolveSubject } = api.platform.useCases.identity();
    const subjectId = await linkSubject.execute(clientId, identityId);

    expect((await api.call('DELETE', `/identities/${identityId}`)).status).toBe(204);

    expect(await findDevice.execute(deviceId as DeviceId)).toBeUndefined();
    expect(await resolveSubject.execute(clientId, subjectId)).toBeUndefined();
    for (const [category, id] of [
      ['identitydata', identityId],
      ['inbox', identityId],
      ['device', deviceId],
    ] as const)
      expect(await api.events(category, id)).toEqual([]);
    expect(await api.events('subject', subjectId)).toEqual(['SubjectReleased']);
    expect((await api.events('identity', identityId)).slice(-2)).toEqual(['IdentityErased', 'ErasureCompleted']);
    expect((await api.call('GET', '/identities')).body).toEqual({ identities: [] });
    for (const answer of [
      await api.call('GET', `/identities/${identityId}/devices`),
      await api.call('POST', `/identities/${identityId}/activation-codes`),
      await api.call('DELETE', `/identities/${identityId}`),
    ]) {
      expect({ status: answer.status, code: answer.body.errorCode }).toEqual({ status: 404, code: 'identity_not_found' });
    }
  });

  it('can be proven: by the administrator who asked and by the streams without an answer, also while no list has the person', async () => {
    const identityId = await api.identity();
    const path = `/identities/${identityId}/erasure`;
    expect([(await api.call('GET', path)).status, (await api.call('GET', path)).body.errorCode]).toEqual([404, 'identity_not_found']);
    const { token, tokenId } = await api.token('operator');
    await api.call('DELETE', `/identities/${identityId}`, undefined, { authorization: `Bearer ${token}` });
    const { status, body, text } = await api.call('GET', path);
    expect([status, body]).toMatchObject([200, { identityId, erasedBy: tokenId, readModel: { listed: false, subjectIds: 0 } }]);
    const streams = body['streams'] as { stream: string; readable: boolean }[];
    expect(streams.map(({ stream }) => stream.split('-')[0])).toEqual([
      'identitydata',
      'inbox',
      'personlimits',
      'signinglog',
      'pushsubscriptions',
      'portalphones',
    ]);
    expect(streams.filter(({ readable }) => readable)).toEqual([]);
    expect(text).not.toMatch(/Mari|47101010033/);
    for (const id of UNKNOWN) expect((await api.call('GET', `/identities/${id}/erasure`)).status).toBe(404);
  });

  it('lets the person register again under another id', async () => {
    const identityId = await api.identity();
    await api.call('DELETE', `/identities/${identityId}`);
    expect(await api.identity()).not.toBe(identityId);
  });

  it.each(UNKNOWN)('answers 404 for the identity %s', async (id) => {
    const { status, body } = await api.call('DELETE', `/identities/${id}`);
    expect({ status, code: body.errorCode }).toEqual({ status: 404, code: 'identity_not_found' });
  });

  it('answers 503 and hides the person while the list of erasures is unavailable, and is completed while the service runs', async () => {
    const platform = await testPlatform();
    const { erasureList, clock } = platform;
    const { add } = erasureList;
    const running = await registryFixture(platform);
    const identityId = (await running.identity()) as IdentityId;
    erasureList.add = () => Promise.reject(new ServiceUnavailable('Kafka is unavailable'));
    const refused = await running.call('DELETE', `/identities/${identityId}`);
    expect({ status: refused.status, code: refused.body.errorCode }).toEqual({ status: 503, code: 'service_unavailable' });
    expect((await running.call('GET', `/identities/${identityId}/devices`)).status).toBe(404);
    expect(await running.events('identitydata', identityId)).toEqual(['PersonRecorded']);
    erasureList.add = add;
    clock.advance(30_000);
    await erased(platform, identityId);
    expect(await running.events('identitydata', identityId)).toEqual([]);
    await running.close();
  });

  it('resumes after a restart when a crash interrupted it', async () => {
    const platform = await testPlatform();
    const interrupted = {
      steps: [() => Promise.reject(new Error('the process ends here'))],
      sessions: async () => new Set<IdentityId>(),
      streams: [],
    };
    const person = { givenName: 'Mari', familyName: 'Maasikas', personalCode: '1', country: 'EE' };
    const identityId = await platform.useCases.identity().registerIdentity.execute(person);
    await expect(
      erasureUseCases({ ...platform, identityRepositories: identityRepositories(platform) }, interrupted).eraseIdentity.execute(identityId),
    ).rejects.toThrow('the process ends here');
    const restarted = await registryFixture(platform);
    await erased(platform, identityId);
    expect(await restarted.events('identitydata', identityId)).toEqual([]);
    expect((await restarted.events('identity', identityId)).at(-1)).toBe('ErasureCompleted');
    await restarted.close();
  });
});
