import { USUAL_STORES } from '#testkit/event-store/store-engines';
import type { ClientId } from '#kernel';
import { testPlatform, withParts } from '#testkit/platform/test-platform';

import { type Answer, type MemberScope, type PersonWithPhone, registryFixture } from './registry.fixture.js';

type Headers = Record<string, string>;

describe.each(USUAL_STORES)('over $engine', ({ open }) => {
  let registry: Awaited<ReturnType<typeof registryFixture>>;
  let clientId: ClientId;

  const begin = async (environment: Record<string, string> = {}): Promise<void> => {
    registry = await registryFixture(await testPlatform(environment, {}, open));
    clientId = (await registry.client()) as ClientId;
  };
  afterEach(() => registry.close());

  const bearer = async (role: Parameters<typeof registry.token>[0], name: string = role): Promise<Headers> => ({
    authorization: `Bearer ${(await registry.token(role, name)).token}`,
  });
  const issue = (identityId: string, by?: Headers): Promise<Answer> =>
    registry.call('POST', `/identities/${identityId}/activation-codes`, undefined, by);
  const refusal = ({ status, body }: Answer) => [status, body['errorCode']];
  const phones = () => registry.platform.useCases.phones();
  const codeOf = ({ body }: Answer): string => String(body['activationCode']);

  describe('an activation code of a member of the portal', () => {
    beforeEach(() => begin());

    it.each<readonly [string, () => MemberScope]>([
      ['of the staff with `security`', () => ({ roles: ['security'] })],
      ['of the staff with `read` alone', () => ({ roles: ['read'] })],
      ['of a relying party', () => ({ clientId })],
    ])('%s, with which `support` would act as the member, is issued by `security` alone', async (_, scope) => {
      const person = await registry.newPerson();
      const [support, operator, machine] = [await bearer('support'), await bearer('operator'), await bearer('security')];
      const security = await registry.member({ roles: ['security'] });
      expect((await issue(person.identityId, support)).status).toBe(201);
      await registry.member(scope(), person);
      const colleague = await registry.member({ roles: ['support', 'operator'] });
      for (const attacker of [support, operator, machine, colleague]) {
        const answer = await issue(person.identityId.toUpperCase(), attacker);
        expect([...refusal(answer), answer.body['defaultTranslation']]).toEqual([403, 'forbidden', expect.stringContaining('the role security')]);
      }
      for (const right of [security, {}]) expect((await issue(person.identityId, right)).status).toBe(201);
    });

    it('is refused on the audit trail, with the sender as the actor and the person as the target', async () => {
      const person = await registry.newPerson();
      await registry.member({ clientId }, person);
      const { token, tokenId } = await registry.token('support');
      await issue(person.identityId, { authorization: `Bearer ${token}` });
      const { entries } = (await registry.call('GET', '/audit?limit=1')).body as { entries: readonly object[] };
      expect(entries).toEqual([
        expect.objectContaining({ actor: tokenId, role: 'support', target: { identityId: person.identityId }, status: 403, errorCode: 'forbidden' }),
      ]);
    });

    it('is refused to `support` from the moment of joining, while no read model has seen the member', async () => {
      const { projections } = registry.platform;
      await projections.close();
      const person = await registry.newPerson();
      await registry.member({ clientId }, person);
      expect(refusal(await issue(person.identityId, await bearer('support')))).toEqual([403, 'forbidden']);
    });

    it('is issued by `support` again once the person is no member of anything', async () => {
      const person = await registry.newPerson();
      await registry.member({ clientId }, person);
      await registry.member({ clientId });
      await registry.member({ roles: ['read'] }, person);
      const support = await bearer('support');
      expect((await registry.call('DELETE', `/members/${person.subjectId}`)).status).toBe(204);
      expect(refusal(await issue(person.identityId, support))).toEqual([403, 'forbidden']);
      expect((await registry.call('DELETE', `/clients/${clientId}/members/${person.subjectId}`)).status).toBe(204);
      expect((await issue(person.identityId, support)).status).toBe(201);
    });
  });

  describe('an activation code from before the person joined the portal', () => {
    let person: PersonWithPhone;
    let code: string;
    beforeEach(async () => {
      await begin();
      person = await registry.newPerson();
      code = codeOf(await issue(person.identityId, await bearer('support')));
    });

    it('enrols no phone afterwards, nor names the person', async () => {
      expect(await phones().findCodeHolder.execute(code)).toMatchObject({ givenName: 'Anna' });
      await registry.member({ clientId }, person);
      const refused = { code: 'invalid_activation_code', reason: 'issued before the person was a member of the portal' };
      await expect(registry.enrol(code)).rejects.toMatchObject(refused);
      await expect(phones().findCodeHolder.execute(code)).rejects.toMatchObject(refused);
    });

    it('enrols no phone of a person who joins while the certificate is made', async () => {
      const { certificateAuthority } = registry.platform;
      const slow = {
        issue: async (...given: Parameters<NonNullable<typeof certificateAuthority>['issue']>) => {
          await registry.member({ clientId }, person);
          return certificateAuthority!.issue(...given);
        },
      } as NonNullable<typeof certificateAuthority>;
      const platform = withParts(registry.platform, { certificateAuthority: slow });
      const { enrolDevice } = platform.useCases.phones();
      await expect(registry.enrol(code, enrolDevice)).rejects.toMatchObject({ code: 'invalid_activation_code' });
      expect(await registry.events('identity', person.identityId)).toEqual([
        'IdentityRegistered',
        'ActivationCodeIssued',
        'DeviceAdded',
        'ActivationCodeIssued',
      ]);
    });

    it('has to be issued anew by `security`', async () => {
      await registry.member({ clientId }, person);
      const issued = codeOf(await issue(person.identityId, await registry.member({ roles: ['security'] })));
      expect(await registry.enrol(issued)).toMatchObject({ deviceId: expect.any(String) });
    });
  });

  describe('with FOUR_EYES, an activation code of a member of the portal', () => {
    beforeEach(() => begin({ FOUR_EYES: 'true' }));

    it('needs two persons with `security`; `support` is refused at once, and counts as none of them', async () => {
      const person = await registry.newPerson();
      await registry.member({ roles: ['operator'] }, person);
      const [anna, bert] = [await registry.member({ roles: ['security'] }), await registry.member({ roles: ['security'] })];
      const support = await registry.member({ roles: ['support'] });
      expect(refusal(await issue(person.identityId, support))).toEqual([403, 'forbidden']);
      for (let times = 0; times < 2; times += 1) expect(refusal(await issue(person.identityId, anna))).toEqual([409, 'approval_required']);
      expect(refusal(await issue(person.identityId, support))).toEqual([403, 'forbidden']);
      expect((await issue(person.identityId, bert)).status).toBe(201);
      expect(refusal(await issue(person.identityId, bert))).toEqual([409, 'approval_required']);
    });

    it('which one administrator alone asked for before the joining, enrols no phone', async () => {
      const person = await registry.newPerson();
      const code = codeOf(await issue(person.identityId, await registry.member({ roles: ['security'] })));
      await registry.member({ roles: ['security'] }, person);
      await expect(registry.enrol(code)).rejects.toMatchObject({ code: 'invalid_activation_code' });
    });

    it('does not matter for other persons', async () => {
      const { identityId } = await registry.newPerson();
      expect((await issue(identityId, await registry.member({ roles: ['support'] }))).status).toBe(201);
    });
  });
});
