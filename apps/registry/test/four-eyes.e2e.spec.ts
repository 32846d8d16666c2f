import { STORE_ENGINES } from '#testkit/event-store/store-engines';
import { testPlatform } from '#testkit/platform/test-platform';

import { CLIENT, MARI, registryFixture } from './registry.fixture.js';

describe.each(STORE_ENGINES)('over $engine', ({ open }) => {
  let registry: Awaited<ReturnType<typeof registryFixture>>;
  let anna: Record<string, string>;
  let bert: Record<string, string>;

  beforeEach(async () => {
    registry = await registryFixture(await testPlatform({ FOUR_EYES: 'true' }, {}, open));
    [anna, bert] = [await holderOf('anna'), await holderOf('bert')];
  });
  afterEach(() => registry.close());

  const holderOf = async (name: string) => ({ authorization: `Bearer ${(await registry.token('security', name)).token}` });
  const erase = (identityId: string, by: Record<string, string>) => registry.call('DELETE', `/identities/${identityId}`, undefined, by);
  const isErased = async (identityId: string) => (await registry.events('identity', identityId)).includes('IdentityErased');

  describe('with FOUR_EYES, the erasure of a person', () => {
    it('takes effect when a second administrator sends it too', async () => {
      const identityId = await registry.identity();
      const first = await erase(identityId, anna);
      expect([first.status, first.body['errorCode']]).toEqual([409, 'approval_required']);
      expect(await isErased(identityId)).toBe(false);
      expect((await erase(identityId.toUpperCase(), bert)).status).toBe(204);
      expect(await isErased(identityId)).toBe(true);
    });

    it('does not take effect when one administrator sends it again', async () => {
      const identityId = await registry.identity();
      for (let time = 0; time < 3; time++) expect((await erase(identityId, anna)).status).toBe(409);
      expect(await isErased(identityId)).toBe(false);
    });

    it('needs the second request for the same person, within 15 minutes', async () => {
      const identityId = await registry.identity();
      const other = await registry.identity({ ...MARI, personal_code: '47101010044' });
      await erase(identityId, anna);
      expect((await erase(other, bert)).status).toBe(409);
      registry.platform.clock.advance(15 * 60_000);
      expect((await erase(identityId, bert)).status).toBe(409);
      expect((await erase(identityId, anna)).status).toBe(204);
    });

    it('is on the audit trail with both administrators', async () => {
      const identityId = await registry.identity();
      await erase(identityId, anna);
      await erase(identityId, bert);
      const { entries } = (await registry.call('GET', '/audit?limit=4')).body as { entries: { actor: string; status?: number }[] };
      expect(entries.map(({ status }) => status)).toEqual([204, undefined, 409, undefined]);
      expect(new Set(entries.map(({ actor }) => actor)).size).toBe(2);
    });
  });

  describe('with FOUR_EYES, a person who has a session of the portal and tokens', () => {
    const tokenBy = async (name: string, by: Record<string, string>): Promise<Record<string, string>> => {
      const add = () => registry.call('POST', '/admin-tokens', { name, role: 'security', expires_at: registry.inADay() }, by);
      const asked = await registry.call('POST', '/admin-tokens', { name, role: 'security', expires_at: registry.inADay() }, bert);
      expect(asked.status).toBe(409);
      const { status, body } = await add();
      expect(status).toBe(201);
      return { authorization: `Bearer ${String(body['token'])}` };
    };

    it('counts once, also by a token that was made with a token', async () => {
      const person = await registry.member({ roles: ['security', 'operator'] });
      const token = await tokenBy('of-the-person', person);
      const second = await tokenBy('of-the-token', token);
      const identityId = await registry.identity();
      for (const by of [person, token, second, person]) expect((await erase(identityId, by)).status).toBe(409);
      expect(await isErased(identityId)).toBe(false);
      expect((await erase(identityId, anna)).status).toBe(204);
    });

    it('counts as two together with a colleague who has a session', async () => {
      const [person, colleague] = [await registry.member({ roles: ['operator'] }), await registry.member({ roles: ['security'] })];
      const identityId = await registry.identity();
      expect((await erase(identityId, person)).status).toBe(409);
      expect((await erase(identityId, colleague)).status).toBe(204);
    });
  });

  describe('with FOUR_EYES, a change of a key', () => {
    it('is approved once for each change: of two approvals at once one takes effect', async () => {
      const clientId = await registry.client();
      const issue = (by: Record<string, string>) => registry.call('POST', `/clients/${clientId}/secret`, undefined, by);
      await issue(anna);
      const answers = await Promise.all([issue(bert), issue(bert)]);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    });

    it('other changes need one administrator', async () => {
      expect((await registry.call('POST', '/clients', { ...CLIENT, name: 'Other' })).status).toBe(201);
    });

    it('a new admin token needs two, once two administrators can approve each other; its terms must be the same', async () => {
      const add = (role: string, by: Record<string, string> = {}) =>
        registry.call('POST', '/admin-tokens', { name: 'third', role, expires_at: registry.inADay() }, by);
      expect((await add('security')).status).toBe(409);
      expect((await add('operator', anna)).status).toBe(409);
      expect((await add('security', bert)).status).toBe(201);
    });
  });
});
