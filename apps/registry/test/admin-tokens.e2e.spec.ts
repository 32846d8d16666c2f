import { EventStoreUnavailable } from '#engines/event-store';
import { STORE_ENGINES } from '#testkit/event-store/store-engines';
import { epochSeconds } from '#kernel';
import { testPlatform } from '#testkit/platform/test-platform';

import { CLIENT, registryFixture } from './registry.fixture.js';

const DAY = 24 * 3_600;

describe.each(STORE_ENGINES)('over $engine', ({ open }) => {
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
      expect(body['adminTokens']).toEqual([{ tokenId, name: 'deploy', role: 'operator', addedAt: now(), expiresAt: now() + DAY }]);
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
