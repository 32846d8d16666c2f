import { EventStoreUnavailable } from '#engines/event-store';
import { USUAL_STORES } from '#testkit/event-store/store-engines';
import { epochSeconds } from '#kernel';
import { eventually } from '#testkit/kernel/eventually';
import { testPlatform } from '#testkit/platform/test-platform';

import { tokenRoutes } from '../src/admin-rights.js';
import { watchTokens } from '../src/watch-tokens.js';
import { CLIENT, registryFixture } from './registry.fixture.js';

const DAY = 24 * 3_600;

describe.each(USUAL_STORES)('over $engine', ({ open }) => {
  let registry: Awaited<ReturnType<typeof registryFixture>>;
  beforeEach(async () => {
    registry = await registryFixture(await testPlatform({}, {}, open));
  });
  afterEach(() => registry.close());

  const now = () => epochSeconds(registry.platform.clock.now());

  describe('an admin token', () => {
    it('is shown once, has 32 random bytes, and is stored as a hash', async () => {
      const { token, tokenId } = await registry.token('operator', 'deploy');
      expect(Buffer.from(token, 'base64url')).toHaveLength(32);
      const { text, body } = await registry.call('GET', '/admin-tokens');
      expect(text).not.toContain(token);
      expect(body['adminTokens']).toEqual([
        {
          tokenId,
          name: 'deploy',
          role: 'operator',
          routes: tokenRoutes('operator').named,
          madeBy: 'first-start',
          addedAt: now(),
          expiresAt: now() + DAY,
        },
      ]);
      const stored = JSON.stringify(await registry.data('admintokens', 'all'));
      expect(stored).toContain(tokenId);
      expect(stored).not.toContain(token);
    });

    it('lets its holder in until its end', async () => {
      const { token } = await registry.token('read');
      const call = () => registry.call('GET', '/clients', undefined, { authorization: `Bearer ${token}` });
      registry.platform.clock.advance(DAY * 1000 - 1);
      expect((await call()).status).toBe(200);
      registry.platform.clock.advance(1);
      expect([(await call()).status, (await call()).body['errorCode']]).toEqual([401, 'unauthorized']);
    });

    it('is of no use once it is revoked; revoking it again changes nothing', async () => {
      const { token, tokenId } = await registry.token('operator');
      expect((await registry.call('DELETE', `/admin-tokens/${tokenId}`)).status).toBe(204);
      expect((await registry.call('DELETE', `/admin-tokens/${tokenId}`)).status).toBe(204);
      expect((await registry.call('GET', '/clients', undefined, { authorization: `Bearer ${token}` })).status).toBe(401);
      expect((await registry.call('GET', '/admin-tokens')).body['adminTokens']).toMatchObject([{ tokenId, revokedAt: now() }]);
    });

    it.each([
      ['no role', { role: undefined }],
      ['an unknown role', { role: 'all' }],
      ['no end', { expires_at: undefined }],
      ['an end in milliseconds', { expires_at: 1_800_000_000_000 }],
      ['an end that is no whole number', { expires_at: 1.5 }],
      ['a name with spaces', { name: 'the deployment' }],
      ['an id of its own', { token_id: 'x' }],
    ])('is refused with %s', async (_, changes) => {
      const { status, body } = await registry.call('POST', '/admin-tokens', { name: 'deploy', role: 'read', expires_at: now() + DAY, ...changes });
      expect([status, body['errorCode']]).toEqual([400, 'invalid_request']);
    });

    it('has the routes of its role but the critical ones, unless it names them', async () => {
      const clientId = await registry.client();
      const of = async (name: string, reach: object) => ({ authorization: `Bearer ${(await registry.token('operator', name, reach)).token}` });
      const [usual, named] = [await of('usual', {}), await of('named', { routes: ['POST /admin/v1/clients/:clientId/secret'] })];
      const status = async (path: string, by: Record<string, string>, method: 'GET' | 'POST' = 'GET') =>
        (await registry.call(method, path, undefined, by)).status;
      expect([await status(`/clients/${clientId}`, usual), await status(`/clients/${clientId}/secret`, usual, 'POST')]).toEqual([200, 403]);
      expect([await status(`/clients/${clientId}`, named), await status(`/clients/${clientId}/secret`, named, 'POST')]).toEqual([403, 200]);
    });

    it('does what is critical only where it names the route, decided for each request', async () => {
      const clientId = await registry.client({ name: 'Sometimes', dynamic_qr: true });
      const terms = { role: 'operator', expires_at: registry.inADay() };
      const bearer = async (name: string, routes?: readonly string[]) => ({
        authorization: `Bearer ${String((await registry.call('POST', '/admin-tokens', { ...terms, name, ...(routes && { routes }) })).body['token'])}`,
      });
      const [usual, naming] = [await bearer('usual'), await bearer('naming', ['PATCH /admin/v1/clients/:clientId'])];
      const patch = (body: object, by: Record<string, string>) => registry.call('PATCH', `/clients/${clientId}`, body, by);
      expect((await patch({ name: 'Sometimes more' }, usual)).status).toBe(200);
      const before = await registry.events('client', clientId);
      for (const critical of [{ redirect_uris: ['https://evil.example/cb'] }, { dynamic_qr: false }, { redirect_uris: [], name: 'Both' }])
        expect((await patch(critical, usual)).status).toBe(403);
      expect(await registry.events('client', clientId)).toEqual(before);
      expect((await patch({ redirect_uris: ['https://rp.example/other'] }, naming)).status).toBe(200);
    });

    it('goes on after its maker has left, which the list tells', async () => {
      const maker = await registry.newPerson();
      const makers = await registry.member({ roles: ['security'] }, maker);
      await registry.member({ roles: ['security'] });
      const made = await registry.call('POST', '/admin-tokens', { name: 'left-behind', role: 'read', expires_at: registry.inADay() }, makers);
      const listed = async () =>
        ((await registry.call('GET', '/admin-tokens')).body['adminTokens'] as { tokenId: string; makerLeft?: true }[]).filter(
          ({ makerLeft }) => makerLeft,
        );
      const { abandonedTokens, portalMembers } = registry.platform.useCases.administration();
      expect([await listed(), (await abandonedTokens.find()).size]).toEqual([[], 0]);
      await portalMembers.removePerson(maker.identityId);
      expect(await listed()).toMatchObject([{ tokenId: made.body['tokenId'] }]);
      const authorization = `Bearer ${String(made.body['token'])}`;
      expect((await registry.call('GET', '/clients', undefined, { authorization })).status).toBe(200);

      const { clock, metrics } = registry.platform;
      const counted = async (): Promise<number> => (await metrics.abandonedTokens.get()).values[0]!.value;
      const stopping = new AbortController();
      const watching = watchTokens(abandonedTokens, { ...registry.platform, stopping: stopping.signal });
      await eventually(async () => (await counted()) === 1);
      expect((await registry.call('DELETE', `/admin-tokens/${String(made.body['tokenId'])}`)).status).toBe(204);
      clock.advance(60_000);
      await eventually(async () => (await counted()) === 0);
      stopping.abort();
      await watching;
    });

    it('reaches the relying parties that it names, and nothing that is about others', async () => {
      const [own, other] = [await registry.client(), await registry.client({ name: 'Other' })];
      const { token } = await registry.token('operator', 'of-one', { clients: [own.toUpperCase()] });
      const status = async (path: string) => (await registry.call('GET', path, undefined, { authorization: `Bearer ${token}` })).status;
      expect([await status(`/clients/${own}`), await status(`/clients/${other}`), await status('/clients'), await status('/sessions')]).toEqual([
        200, 403, 403, 403,
      ]);
    });

    it.each([
      ['a route of another role', { routes: ['GET /admin/v1/audit'] }],
      ['a route that makes tokens', { role: 'security', routes: ['POST /admin/v1/admin-tokens'] }],
      ['a route that invites', { role: 'security', routes: ['POST /admin/v1/invitations'] }],
      ['a route that is none', { routes: ['GET /admin/v1/secrets'] }],
      ['no route', { routes: [] }],
      ['a route of all relying parties beside one of them', { routes: ['GET /admin/v1/clients'], clients: ['00000000-0000-4000-8000-000000000000'] }],
      ['a relying party that is no id', { clients: ['Shop'] }],
    ])('is refused with %s', async (_, changes) => {
      const { status, body } = await registry.call('POST', '/admin-tokens', { name: 'deploy', role: 'read', expires_at: now() + DAY, ...changes });
      expect([status, body['errorCode']]).toEqual([400, 'invalid_request']);
    });

    it('makes no token and no member, and touches no person with power, whatever it names', async () => {
      const person = await registry.newPerson();
      await registry.member({ roles: ['security'] }, person);
      const security = { authorization: `Bearer ${(await registry.token('security')).token}` };
      for (const [method, path, body] of [
        ['POST', '/admin-tokens', { name: 'another', role: 'security', expires_at: now() + DAY }],
        ['POST', '/invitations', { label: 'back-door', roles: ['security'] }],
        ['DELETE', `/members/${person.subjectId}`, undefined],
        ['PATCH', `/members/${person.subjectId}`, { roles: ['read'] }],
        ['DELETE', `/identities/${person.identityId}`, undefined],
        ['DELETE', `/identities/${person.identityId}/devices/${person.deviceId}`, undefined],
        ['POST', `/identities/${person.identityId}/activation-codes`, undefined],
      ] as const) {
        const answer = await registry.call(method, path, body, security);
        expect([path, answer.status, answer.body['errorCode']]).toEqual([path, 403, 'forbidden']);
      }
    });

    it('needs a name that no other token has: name_taken', async () => {
      await registry.token('read', 'deploy');
      const { status, body } = await registry.call('POST', '/admin-tokens', { name: 'deploy', role: 'read', expires_at: now() + DAY });
      expect([status, body['errorCode']]).toEqual([409, 'name_taken']);
    });

    it('of unknown id is not found', async () => {
      const { status, body } = await registry.call('DELETE', '/admin-tokens/00000000-0000-4000-8000-000000000000');
      expect([status, body['errorCode']]).toEqual([404, 'admin_token_not_found']);
    });

    it('is listed in pages', async () => {
      for (const name of ['one', 'two', 'three']) await registry.token('read', name);
      const first = (await registry.call('GET', '/admin-tokens?limit=2')).body;
      expect((first['adminTokens'] as { name: string }[]).map(({ name }) => name)).toEqual(['one', 'two']);
      const second = (await registry.call('GET', `/admin-tokens?after=${String(first['next'])}`)).body;
      expect(second).toEqual({ adminTokens: [expect.objectContaining({ name: 'three' })] });
    });
  });

  describe('the audit trail', () => {
    const entries = async () => (await registry.call('GET', '/audit')).body['entries'] as Record<string, unknown>[];

    it('shows a change with its actor, role, action, target and outcome, newest first', async () => {
      const { token, tokenId } = await registry.token('operator');
      const { body } = await registry.call('POST', '/clients', CLIENT, { authorization: `Bearer ${token}` });
      const [ended, begun] = await entries();
      const change = { actor: tokenId, role: 'operator', action: 'POST /admin/v1/clients', at: now() };
      expect(begun).toMatchObject({ ...change, phase: 'BEGUN', target: {} });
      expect(ended).toMatchObject({ ...change, phase: 'ENDED', target: { clientId: body['clientId'] }, status: 201 });
      expect(ended!['changeId']).toBe(begun!['changeId']);
    });

    it('shows a refused change with its code, and no read', async () => {
      await registry.call('GET', '/clients');
      await registry.call('DELETE', '/identities/00000000-0000-4000-8000-000000000000');
      expect(await entries()).toMatchObject([
        { phase: 'ENDED', actor: 'first-start', role: 'all', status: 404, errorCode: 'identity_not_found' },
        { phase: 'BEGUN', target: { identityId: '00000000-0000-4000-8000-000000000000' } },
      ]);
    });

    it('holds no personal data, no secret, and no text of a caller', async () => {
      const identityId = await registry.identity();
      const { body } = await registry.call('POST', `/identities/${identityId}/activation-codes`);
      await registry.call('DELETE', '/identities/Mari%20Maasikas');
      await registry.call('POST', '/projections/47101010033/rebuild');
      const text = JSON.stringify(await registry.data('audit', 'log'));
      for (const word of ['Mari', 'Maasikas', '47101010033', body['activationCode']]) expect(text).not.toContain(word);
      expect(text).toContain(identityId);
    });

    it('is read in pages by sequence', async () => {
      for (let i = 0; i < 3; i++) await registry.call('DELETE', '/identities/00000000-0000-4000-8000-000000000000');
      const first = (await registry.call('GET', '/audit?limit=4')).body;
      expect((first['entries'] as { sequence: number }[]).map(({ sequence }) => sequence)).toEqual([5, 4, 3, 2]);
      const second = (await registry.call('GET', `/audit?limit=4&after=${String(first['next'])}`)).body;
      expect((second['entries'] as { sequence: number }[]).map(({ sequence }) => sequence)).toEqual([1, 0]);
      expect(second).not.toHaveProperty('next');
    });
  });

  describe('a change while the trail cannot be written', () => {
    it('is answered 503 and does not take effect', async () => {
      const { platform } = registry;
      const append = platform.eventStore.append.bind(platform.eventStore);
      platform.eventStore.append = async (stream, ...rest) => {
        if (stream.startsWith('audit-')) throw new EventStoreUnavailable('the disk is full');
        return append(stream, ...rest);
      };
      const { status } = await registry.call('POST', '/clients', CLIENT);
      expect(status).toBe(503);
      expect((await registry.call('GET', '/clients')).body['clients']).toEqual([]);
    });
  });

  describe('GET /keys', () => {
    it('tells since when each key is in use, and nothing of the key', async () => {
      const since = now();
      const { body } = await registry.call('GET', '/keys');
      expect(body).toEqual({ keys: [{ purpose: 'token', since }] });
    });
  });
});

describe('the audit trail of a busy registry', () => {
  it('takes a hundred changes at once, each twice', async () => {
    const busy = await registryFixture();
    const names = Array.from({ length: 100 }, (_, at) => ({ ...CLIENT, name: `Shop ${at}` }));
    const answers = await Promise.all(names.map((client) => busy.call('POST', '/clients', client)));
    expect(answers.filter(({ status }) => status !== 201)).toEqual([]);
    const events = await busy.data('audit', 'log');
    expect(events).toHaveLength(200);
    await busy.close();
  });
});
