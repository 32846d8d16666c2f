import { USUAL_STORES } from '#testkit/event-store/store-engines';
import type { ClientId } from '#kernel';
import { eventually } from '#testkit/kernel/eventually';
import { testPlatform } from '#testkit/platform/test-platform';

import { ADMIN_RIGHTS, FIRST_START_ROUTES } from '../src/admin-rights.js';
import { createRegistryApp } from '../src/app.js';
import { type Answer, MARI, type Method, type PersonWithPhone, registryFixture, UNREGISTERED } from './registry.fixture.js';

const GUARDED = {
  ENVIRONMENT: 'production',
  BASE_URL: 'https://id.example',
  APP_URL: 'https://phone.example',
  PORTAL_URL: 'https://portal.example',
  FOUR_EYES: 'false',
  ANCHOR_DIR: '/mnt/checkpoints',
};

describe.each(USUAL_STORES)('over $engine', ({ open }) => {
  let registry: Awaited<ReturnType<typeof registryFixture>>;
  const begin = async (environment: Record<string, string> = {}): Promise<void> => {
    registry = await registryFixture(await testPlatform({ ...GUARDED, ...environment }, {}, open));
  };
  afterEach(() => registry.close());

  const refusal = ({ status, body }: Answer) => [status, body['errorCode']];
  const invite = (roles: readonly string[] = ['security']) => registry.call('POST', '/invitations', { label: 'security-desk', roles });
  /** A new person who joins the staff by the token of the first start. */
  const joins = async (): Promise<PersonWithPhone> => {
    const person = await registry.newPerson();
    const { body } = await invite();
    const { portalMembers } = registry.platform.useCases.administration();
    await portalMembers.join(String(body['link']).split('#invitation=')[1] ?? '', person);
    return person;
  };

  describe('ADMIN_TOKEN of a guarded environment', () => {
    it('registers persons, makes their codes and invites to security, over every other route refused', async () => {
      await begin();
      const refused: string[] = [];
      for (const route of Object.keys(ADMIN_RIGHTS)) {
        const [method, path] = route.split(' ') as [Method, string];
        const { status } = await registry.send(method, path.replace('/admin/v1', '').replace(/:\w+/g, UNREGISTERED));
        if (status === 403) refused.push(route);
      }
      expect(new Set(Object.keys(ADMIN_RIGHTS).filter((route) => !refused.includes(route)))).toEqual(FIRST_START_ROUTES);
      const { status, body } = await registry.call('POST', '/identities', MARI);
      expect(status).toBe(201);
      expect((await registry.call('POST', `/identities/${String(body['identityId'])}/activation-codes`)).status).toBe(201);
      expect(refusal(await invite(['operator', 'read']))).toEqual([403, 'forbidden']);
      expect((await invite()).status).toBe(201);
    });

    it('makes no phone of a person with power: of a member of a team, or of the first one of two', async () => {
      await begin({ FOUR_EYES: 'true' });
      const [first, owner] = [await joins(), await registry.newPerson()];
      await registry.member({ clientId: UNREGISTERED as ClientId }, owner);
      for (const { identityId } of [first, owner])
        expect(refusal(await registry.call('POST', `/identities/${identityId}/activation-codes`))).toEqual([403, 'forbidden']);
      const { identityId } = await registry.newPerson();
      expect((await registry.call('POST', `/identities/${identityId}/activation-codes`)).status).toBe(201);
    });

    it('is refused for ever once one person holds security, whatever becomes of the person', async () => {
      await begin();
      const person = await joins();
      expect(refusal(await invite())).toEqual([401, 'unauthorized']);
      const { portalMembers } = registry.platform.useCases.administration();
      await portalMembers.removePerson(person.identityId);
      expect(refusal(await invite())).toEqual([401, 'unauthorized']);
    });

    it('with FOUR_EYES leads to two persons', async () => {
      await begin({ FOUR_EYES: 'true' });
      await joins();
      await joins();
      expect(refusal(await invite())).toEqual([401, 'unauthorized']);
    });

    it('is refused for ever from the next start without FOUR_EYES, for which the one person who is there is enough', async () => {
      await begin({ FOUR_EYES: 'true' });
      const person = await joins();
      expect((await invite()).status).toBe(201);
      const { eventStore, keys, sealer } = registry.platform;
      const without = await testPlatform(GUARDED, { eventStore, keys, sealer });
      const { portalMembers } = without.useCases.administration();
      const app = await createRegistryApp(without);
      await eventually(async () => (await registry.events('portalmembers', 'all')).at(-1) === 'FirstStartEnded');
      await app.close();
      without.stop();
      await portalMembers.removePerson(person.identityId);
      expect(refusal(await invite())).toEqual([401, 'unauthorized']);
    });

    it('is refused at the same moment at which the last person of the first start joins', async () => {
      await begin();
      const codes = await Promise.all([invite(), invite()]);
      const persons = [await registry.newPerson(), await registry.newPerson()];
      const { portalMembers } = registry.platform.useCases.administration();
      await Promise.all(codes.map(({ body }, at) => portalMembers.join(String(body['link']).split('#invitation=')[1] ?? '', persons[at]!)));
      expect((await registry.data('portalmembers', 'all')).length).toBeGreaterThan(3);
      expect((await registry.events('portalmembers', 'all')).filter((type) => type === 'FirstStartEnded')).toHaveLength(1);
      expect(refusal(await invite())).toEqual([401, 'unauthorized']);
    });
  });

  describe('ADMIN_TOKEN of a relaxed environment', () => {
    it('keeps every role', async () => {
      registry = await registryFixture(await testPlatform({}, {}, open));
      await joins();
      expect((await registry.call('GET', '/audit')).status).toBe(200);
      expect((await invite()).status).toBe(201);
    });
  });
});
