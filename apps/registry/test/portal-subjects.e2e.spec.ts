import { USUAL_STORES } from '#testkit/event-store/store-engines';
import { type ClientId, type RingKey, Secret, type SubjectId, SubjectKeys } from '#kernel';
import { testPlatform, withParts } from '#testkit/platform/test-platform';

import { type PersonWithPhone, registryFixture } from './registry.fixture.js';

/** The first key alone, and after the rotation both. */
class RotatingKeys extends SubjectKeys {
  rotated = false;
  readonly #keys = ['former', 'next'].map((id): RingKey => ({ id, key: new Secret(Buffer.alloc(32, id)) })) as [RingKey, RingKey];
  override accepted = (): readonly RingKey[] => (this.rotated ? this.#keys : this.#keys.slice(0, 1));
  override all = this.accepted;
  override current = (): RingKey => this.#keys[this.rotated ? 1 : 0];
  override migration = (): undefined => undefined;
}

describe.each(USUAL_STORES)('over $engine', ({ open }) => {
  let registry: Awaited<ReturnType<typeof registryFixture>>;
  let clientId: ClientId;

  beforeEach(async () => {
    registry = await registryFixture(await testPlatform({}, {}, open));
    clientId = (await registry.client()) as ClientId;
  });
  afterEach(() => registry.close());

  const useCases = () => registry.platform.useCases.administration();
  const refusal = ({ status, body }: { status: number; body: Record<string, unknown> }) => [status, body['errorCode']];

  describe('after a rotation of the subject key, a person of the portal', () => {
    const keys = new RotatingKeys();
    let former: SubjectId;
    let next: SubjectId;
    let person: PersonWithPhone;
    let session: Awaited<ReturnType<typeof registry.session>>;

    beforeEach(async () => {
      await registry.close();
      keys.rotated = false;
      const platform = await testPlatform({ FOUR_EYES: 'true' }, {}, open);
      registry = await registryFixture(withParts(platform, { keys: { ...platform.keys, subject: keys } }));
      clientId = (await registry.client()) as ClientId;
      person = await registry.newPerson();
      former = person.subjectId;
      session = await registry.member({ roles: ['security'] }, person);
      await registry.member({ clientId }, person);
      await registry.member({ clientId });
      keys.rotated = true;
      next = await registry.subjectOf(person.identityId);
    });

    it('who logs in by the new value is still a member, and so is a session from before', async () => {
      expect(next).not.toBe(former);
      const again = await registry.session({ ...person, subjectId: next });
      for (const headers of [session, again]) {
        expect((await registry.call('GET', '/members', undefined, headers)).status).toBe(200);
        expect((await registry.call('GET', `/clients/${clientId}`, undefined, headers)).status).toBe(200);
      }
      const support = await registry.member({ roles: ['support'] });
      expect(refusal(await registry.call('POST', `/identities/${person.identityId}/activation-codes`, undefined, support))).toEqual([
        403,
        'forbidden',
      ]);
    });

    it.each(['former', 'next'] as const)('is removed by the %s value, with the open invitations made under both', async (value) => {
      const by = (name: SubjectId) => useCases().portalMembers.invite('back-door', { clientId, role: 'owner' }, { id: name, through: clientId });
      const jonas = await registry.newPerson();
      const made = [await by(former), await by(next)];
      expect((await registry.call('DELETE', `/clients/${clientId}/members/${{ former, next }[value]}`)).status).toBe(204);
      for (const { code } of made)
        await expect(useCases().portalMembers.join(code.reveal(), jonas)).rejects.toMatchObject({ code: 'invitation_not_found' });
      expect((await useCases().portalMembers.of(person.identityId)).map(({ scope }) => scope)).toEqual([{ roles: ['security'] }]);
    });

    it('is one administrator, not two', async () => {
      const headers = await registry.session({ ...person, subjectId: next });
      const issue = (by: Record<string, string>) => registry.call('POST', '/invitations', { label: 'night-shift', roles: ['read'] }, by);
      const colleague = await registry.member({ roles: ['security'] });
      for (const by of [session, headers, session]) expect((await issue(by)).status).toBe(409);
      expect((await issue(colleague)).status).toBe(201);
    });
  });
});
