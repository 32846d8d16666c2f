import { eventually } from '#testkit/kernel/eventually';
import { sessionFixture } from '#testkit/platform/session-fixture';
import { CODE_CHALLENGE, REDIRECT_URI } from '#testkit/session/login-request';
import { DEVICE } from '#testkit/session/session-history';

import { registryFixture } from './registry.fixture.js';

let world: Awaited<ReturnType<typeof sessionFixture>>;
let api: Awaited<ReturnType<typeof registryFixture>>;
beforeEach(async () => {
  world = await sessionFixture();
  api = await registryFixture(world.platform);
});
afterEach(() => api.close());

const LOGIN_REQUEST = {
  redirectUri: REDIRECT_URI,
  state: 'state of the client',
  signatureType: 'AUTHENTICATION',
  codeChallenge: CODE_CHALLENGE,
  codeChallengeMethod: 'S256',
  title: 'A title of the client',
} as const;

const createSession = async (): Promise<string> => {
  const { platform, client } = world;
  const { createSession: create } = platform.useCases.relyingPartySessions();
  const caller = await platform.useCases.relyingParties().findClient.execute(client.clientId);
  if (!caller) throw new Error('the client that creates sessions is missing');
  return (await create.execute(LOGIN_REQUEST, caller)).sessionId;
};

describe('GET /clients/{clientId}/secret', () => {
  it('shows when a session was last begun with the secret, and no session after a new secret', async () => {
    const { client, platform } = world;
    const path = `/clients/${client.clientId}/secret`;
    const lastUse = async () => (await api.call('GET', path)).body['lastUsedAt'];
    expect(await lastUse()).toBeUndefined();
    await createSession();
    const usedAt = Math.floor(platform.clock.now() / 1000);
    await eventually(async () => (await lastUse()) === usedAt, { what: 'the use is listed' });
    platform.clock.advance(1_000);
    await api.call('POST', path);
    expect(await lastUse()).toBeUndefined();
  });
});

describe('GET /sessions', () => {
  /** The list follows the streams with a short delay. */
  const listed = async (query: string, isThere: (sessions: readonly Record<string, unknown>[]) => boolean) => {
    let body: Record<string, unknown> = {};
    await eventually(
      async () => {
        ({ body } = await api.call('GET', `/sessions${query}`));
        return isThere(body['sessions'] as Record<string, unknown>[]);
      },
      { what: 'the list shows the session' },
    );
    return body;
  };

  it('lists sessions with their status, the newest first, without any text of the client', async () => {
    const [older, newer] = [await createSession(), (world.platform.clock.advance(1_000), await createSession())];
    await world.scan(older);
    const { clientId } = world.client;
    const body = await listed('', (sessions) => sessions.some(({ status }) => status === 'SCANNED') && sessions.length === 2);
    const [first, second] = [1767225601, 1767225600];
    expect(body).toEqual({
      sessions: [
        { sessionId: newer, clientId, signatureType: 'AUTHENTICATION', status: 'PENDING', createdAt: first, changedAt: first },
        { sessionId: older, clientId, signatureType: 'AUTHENTICATION', status: 'SCANNED', createdAt: second, changedAt: first },
      ],
    });
    expect((await api.call('GET', '/sessions?limit=1')).body).toMatchObject({ sessions: [{ sessionId: newer }], next: newer });
    expect((await api.call('GET', `/sessions?limit=1&after=${newer}`)).body).toEqual({ sessions: [(body['sessions'] as object[])[1]] });
    expect(await api.events('session', newer)).toEqual(['SessionCreated']);
  });

  it.each([
    ['?status=SCANNED', 'older'],
    ['?status=PENDING', 'newer'],
    ['?since=1767225601', 'newer'],
    ['?until=1767225601', 'older'],
    ['?signature_type=SIGNING', undefined],
    ['?client_id=00000000-0000-4000-8000-000000000000', undefined],
  ])('is narrowed by %s', async (query, expected) => {
    const [older, newer] = [await createSession(), (world.platform.clock.advance(1_000), await createSession())];
    await world.scan(older);
    await listed('', (sessions) => sessions.some(({ status }) => status === 'SCANNED') && sessions.length === 2);
    const { body } = await api.call('GET', `/sessions${query}`);
    expect((body['sessions'] as { sessionId: string }[]).map(({ sessionId }) => (sessionId === older ? 'older' : 'newer'))).toEqual(
      expected === undefined ? [] : [expected],
    );
    expect(newer).not.toBe(older);
  });

  it.each([
    ['?status=scanned', 'status'],
    ['?signature_type=BOTH', 'signature_type'],
    ['?client_id=shop', 'client_id'],
    ['?since=yesterday', 'since'],
    ['?until=-1', 'until'],
    ['?limit=101', 'limit'],
    ['?after=nothing', 'after'],
    ['?after=00000000-0000-4000-8000-000000000000', 'after'],
  ])('answers 400 for %s and names the member', async (query, member) => {
    const { status, body } = await api.call('GET', `/sessions${query}`);
    expect({ status, code: body.errorCode }).toEqual({ status: 400, code: 'invalid_request' });
    expect(body.defaultTranslation).toContain(`\`${member}\``);
  });
});

describe('GET /sessions/{sessionId}/timeline', () => {
  it('lists the events of the session with their times, without any text of the client', async () => {
    const sessionId = await createSession();
    await world.scan(sessionId);
    const { status, body, text } = await api.call('GET', `/sessions/${sessionId}/timeline`);
    expect(status).toBe(200);
    expect(body).toEqual({
      sessionId,
      clientId: world.client.clientId,
      status: 'SCANNED',
      events: [
        { type: 'SessionCreated', sequence: 0, at: '2026-01-01T00:00:00.000Z' },
        { type: 'SessionScanned', sequence: 1, at: '2026-01-01T00:00:00.000Z', deviceId: DEVICE },
      ],
    });
    expect(text).not.toMatch(/title|state of the client|sealed/);
  });

  it('tells the staff, and no member, why no container could be built', async () => {
    const { clientId } = world.client;
    const sessionId = await world.begin(clientId, { signatureType: 'SIGNING' });
    const at = world.platform.clock.now();
    const finding = 'the container breaks its own rules: trust: no chain';
    await world.append(sessionId, { type: 'SessionCancelled', data: { reason: 'SIGNING_FAILED', finding, at } });
    const ended = { type: 'SessionCancelled', sequence: 1, at: new Date(at).toISOString(), reason: 'SIGNING_FAILED' };
    const toStaff = await api.call('GET', `/sessions/${sessionId}/timeline`);
    expect((toStaff.body['events'] as object[]).at(-1)).toEqual({ ...ended, finding });
    const toMember = await api.call('GET', `/clients/${clientId}/sessions/${sessionId}/timeline`, undefined, await api.member({ clientId }));
    expect((toMember.body['events'] as object[]).at(-1)).toEqual(ended);
  });

  it.each(['00000000-0000-4000-8000-000000000000', 'not-a-uuid', '%00'])('answers 404 for the session %s', async (id) => {
    const { status, body } = await api.call('GET', `/sessions/${id}/timeline`);
    expect({ status, code: body.errorCode }).toEqual({ status: 404, code: 'session_not_found' });
  });
});

describe('GET /clients/{clientId}/login-funnel', () => {
  it('shows the members of a client how far its logins came, and nothing of others', async () => {
    const { clientId } = world.client;
    for (let number = 0; number < 2; number++) await createSession();
    const member = await api.member({ clientId });
    const today = async (id: string, headers?: Record<string, string>) => {
      const { body } = await api.call('GET', `/clients/${id}/login-funnel`, undefined, headers);
      return (body['days'] as Record<string, unknown>[]).at(-1);
    };
    await eventually(async () => (await today(clientId, member))?.['created'] === 2, { what: 'the counts follow the sessions' });
    const ended = { declined: 0, left: 0, wrongCode: 0, pinLocked: 0, withdrawn: 0, erased: 0, expired: 0 };
    expect(await today(clientId, member)).toEqual({ day: '2026-01-01', created: 2, scanned: 0, confirmed: 0, exchanged: 0, ended });
    expect(await today(await api.client({ name: 'Another shop' }))).toMatchObject({ created: 0 });
  });

  it('answers 404 for an unknown client', async () => {
    const { status, body } = await api.call('GET', '/clients/00000000-0000-4000-8000-000000000000/login-funnel');
    expect([status, body['errorCode']]).toEqual([404, 'client_not_found']);
  });
});
