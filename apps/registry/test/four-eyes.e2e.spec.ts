import { generateKeyPairSync } from 'node:crypto';

import { USUAL_STORES } from '#testkit/event-store/store-engines';
import { testPlatform } from '#testkit/platform/test-platform';

import { type Answer, type AskedApproval, CLIENT, MARI, type PersonHeaders, type PersonWithPhone, registryFixture } from './registry.fixture.js';

const DAY = 24 * 3_600_000;

describe.each(USUAL_STORES)('over $engine', ({ open }) => {
  let registry: Awaited<ReturnType<typeof registryFixture>>;
  let anna: PersonWithPhone;
  let bert: PersonWithPhone;
  let annas: PersonHeaders;
  let berts: PersonHeaders;

  beforeEach(async () => {
    registry = await registryFixture(await testPlatform({ FOUR_EYES: 'true' }, {}, open));
    [anna, bert] = [await registry.newPerson(), await registry.newPerson()];
    [annas, berts] = [await registry.member({ roles: ['security', 'operator'] }, anna), await registry.member({ roles: ['security'] }, bert)];
  });
  afterEach(() => registry.close());

  const refusal = ({ status, body }: Answer) => [status, body['errorCode']];
  const erase = (identityId: string, by: Record<string, string>) => registry.call('DELETE', `/identities/${identityId}`, undefined, by);
  const isErased = async (identityId: string) => (await registry.events('identity', identityId)).includes('IdentityErased');
  const asked = ({ body }: Answer): AskedApproval => body['approval'] as AskedApproval;

  describe('with FOUR_EYES, the erasure of a person', () => {
    it('takes effect when two persons have approved it on their phones', async () => {
      const identityId = await registry.identity();
      expect(refusal(await erase(identityId, annas))).toEqual([409, 'approval_required']);
      expect(await isErased(identityId)).toBe(false);
      expect((await erase(identityId.toUpperCase(), berts)).status).toBe(204);
      expect(await isErased(identityId)).toBe(true);
    });

    it('takes effect for the first person too, once the phone of the second one has signed', async () => {
      const identityId = await registry.identity();
      const path = `/identities/${identityId}`;
      const [first, second] = [
        asked(await registry.send('DELETE', path, undefined, annas)),
        asked(await registry.send('DELETE', path, undefined, berts)),
      ];
      await registry.approve(first, anna);
      expect(refusal(await registry.complete(first, annas))).toEqual([409, 'approval_required']);
      await registry.approve(second, bert);
      const answers = await Promise.all([registry.complete(first, annas), registry.complete(second, berts)]);
      expect(answers.map(({ status }) => status).toSorted()).toEqual([204, 404]);
      expect(await isErased(identityId)).toBe(true);
    });

    it('does not take effect when one person approves it again, from each of the own sessions and phones', async () => {
      const identityId = await registry.identity();
      registry.platform.clock.advance(1);
      const second = await registry.phoneOf(anna.identityId);
      registry.platform.clock.advance(DAY);
      const others = [await registry.session(anna), await registry.session({ ...anna, deviceId: second })];
      for (const by of [...others, ...others]) expect(refusal(await erase(identityId, by))).toEqual([409, 'approval_required']);
      expect(await isErased(identityId)).toBe(false);
    });

    it('needs the second approval for the same person, within ten minutes', async () => {
      const identityId = await registry.identity();
      const other = await registry.identity({ ...MARI, personal_code: '47101010044' });
      await erase(identityId, annas);
      expect((await erase(other, berts)).status).toBe(409);
      registry.platform.clock.advance(10 * 60_000);
      expect((await erase(identityId, berts)).status).toBe(409);
      expect((await erase(identityId, annas)).status).toBe(204);
    });

    it('is on the audit trail with what both phones have signed', async () => {
      const identityId = await registry.identity();
      await erase(identityId, annas);
      await erase(identityId, berts);
      const { entries } = (await registry.call('GET', '/audit?limit=6')).body as {
        entries: { phase: string; action: string; statements?: { by: string; toBeSigned: string }[] }[];
      };
      const [approved] = entries.filter(({ phase }) => phase === 'APPROVED');
      expect(approved?.action).toBe('DELETE /admin/v1/identities/:identityId');
      expect(approved?.statements?.map(({ by }) => by).toSorted()).toEqual([anna.subjectId, bert.subjectId].toSorted());
      for (const { toBeSigned } of approved?.statements ?? []) expect(Buffer.from(toBeSigned, 'base64').toString()).toContain(identityId);
    });
  });

  describe('with FOUR_EYES, one person is never two', () => {
    it('by tokens: a token is asked for a second person however often, and by ADMIN_TOKEN as well', async () => {
      const identityId = await registry.identity();
      const { routes } = { routes: ['DELETE /admin/v1/identities/:identityId'] };
      const body = { name: 'of-anna', role: 'operator', routes, expires_at: registry.inADay() };
      expect((await registry.call('POST', '/admin-tokens', body, annas)).status).toBe(409);
      const { token } = (await registry.call('POST', '/admin-tokens', body, berts)).body as { token: string };
      for (const by of [{ authorization: `Bearer ${token}` }, {}, annas])
        expect(refusal(await erase(identityId, by))).toEqual([409, 'approval_required']);
      expect((await erase(identityId, berts)).status).toBe(204);
    });

    it('by a colleague whose phone the person has just enrolled', async () => {
      const colleague = await registry.identity();
      // `security` may issue codes for persons without power alone, so a phone is made for the colleague first.
      const issued = await registry.call('POST', `/identities/${colleague}/activation-codes`, undefined, annas);
      const { deviceId } = await registry.enrol(String(issued.body['activationCode']));
      const person = { identityId: colleague as PersonWithPhone['identityId'], subjectId: await registry.subjectOf(colleague as never), deviceId };
      const puppet = await registry.member({ roles: ['security', 'operator'] }, person);
      const victim = await registry.identity({ ...MARI, personal_code: '47101010099' });
      for (const by of [annas, puppet, annas]) expect(refusal(await erase(victim, by))).toEqual([409, 'approval_required']);
      expect(await isErased(victim)).toBe(false);
      // A third person counts with either of them.
      expect((await erase(victim, berts)).status).toBe(204);
    });

    it('by a colleague whose phone a token of the person has just enrolled, be the token revoked meanwhile', async () => {
      const routes = ['POST /admin/v1/identities/:identityId/activation-codes'];
      const wanted = { name: 'desk', role: 'support', routes, expires_at: registry.inADay() };
      await registry.call('POST', '/admin-tokens', wanted, annas);
      // The request of the second person makes the token.
      const { token, tokenId } = (await registry.call('POST', '/admin-tokens', wanted, berts)).body as Record<string, string>;
      const colleague = await registry.identity();
      const issued = await registry.call('POST', `/identities/${colleague}/activation-codes`, undefined, { authorization: `Bearer ${token}` });
      const { deviceId } = await registry.enrol(String(issued.body['activationCode']));
      for (const by of [annas, berts]) await registry.call('DELETE', `/admin-tokens/${tokenId}`, undefined, by);
      const person = { identityId: colleague as PersonWithPhone['identityId'], subjectId: await registry.subjectOf(colleague as never), deviceId };
      const puppet = await registry.member({ roles: ['security', 'operator'] }, person);
      const victim = await registry.identity({ ...MARI, personal_code: '47101010099' });
      for (const by of [berts, puppet, berts]) expect(refusal(await erase(victim, by))).toEqual([409, 'approval_required']);
      expect((await erase(victim, annas)).status).toBe(204);
    });

    it('by that colleague until seven days have passed', async () => {
      const colleague = await registry.identity();
      const issued = await registry.call('POST', `/identities/${colleague}/activation-codes`, undefined, annas);
      const { deviceId } = await registry.enrol(String(issued.body['activationCode']));
      const person = { identityId: colleague as PersonWithPhone['identityId'], subjectId: await registry.subjectOf(colleague as never), deviceId };
      await registry.member({ roles: ['operator'] }, person);
      const victim = await registry.identity({ ...MARI, personal_code: '47101010099' });
      const both = async () => {
        await erase(victim, await registry.session(anna));
        return (await erase(victim, await registry.session(person))).status;
      };
      registry.platform.clock.advance(7 * DAY - 1);
      expect(await both()).toBe(409);
      // Longer than the approvals of the first try count.
      registry.platform.clock.advance(10 * 60_000);
      expect(await both()).toBe(204);
    });

    it('by an activation code for a colleague: `security` alone gets none', async () => {
      const path = `/identities/${bert.identityId}/activation-codes`;
      for (let times = 0; times < 2; times += 1)
        expect(refusal(await registry.call('POST', path, undefined, annas))).toEqual([409, 'approval_required']);
      const carla = await registry.newPerson();
      expect((await registry.call('POST', path, undefined, await registry.member({ roles: ['security'] }, carla))).status).toBe(201);
    });

    it('by the first start: once two persons hold `security`, no removal and no revocation opens it again', async () => {
      const change = () => registry.call('POST', '/invitations', { label: 'night-shift', roles: ['security'] });
      expect(refusal(await change())).toEqual([409, 'approval_required']);
      expect(refusal(await registry.call('DELETE', `/members/${bert.subjectId}`))).toEqual([409, 'approval_required']);
      expect(refusal(await registry.call('DELETE', `/identities/${bert.identityId}/devices/${bert.deviceId}`))).toEqual([409, 'approval_required']);
      await registry.call('DELETE', `/members/${bert.subjectId}`, undefined, annas);
      expect((await registry.call('DELETE', `/members/${bert.subjectId}`, undefined, berts)).status).toBe(204);
      expect(refusal(await change())).toEqual([409, 'approval_required']);
    });
  });

  describe('with FOUR_EYES, the first start', () => {
    it('leads to two persons with ADMIN_TOKEN alone, and to nothing else', async () => {
      await registry.close();
      registry = await registryFixture(await testPlatform({ FOUR_EYES: 'true' }, {}, open));
      const invite = () => registry.call('POST', '/invitations', { label: 'security-desk', roles: ['security'] });
      const { portalMembers } = registry.platform.useCases.administration();
      for (let count = 0; count < 2; count += 1) {
        const { status, body } = await invite();
        expect(status).toBe(201);
        await portalMembers.join(String(body['link']).split('#invitation=')[1] ?? '', await registry.newPerson());
      }
      expect(refusal(await invite())).toEqual([409, 'approval_required']);
    });

    it('does not count one person twice', async () => {
      await registry.close();
      registry = await registryFixture(await testPlatform({ FOUR_EYES: 'true' }, {}, open));
      const person = await registry.newPerson();
      for (let count = 0; count < 2; count += 1) await registry.member({ roles: ['security'] }, person);
      expect((await registry.call('POST', '/invitations', { label: 'security-desk', roles: ['security'] })).status).toBe(201);
    });
  });

  describe('with FOUR_EYES, a change of a key', () => {
    it('is approved once for each change: of two completions at once one takes effect', async () => {
      const clientId = await registry.client();
      const path = `/clients/${clientId}/secret`;
      const [first, second] = [
        asked(await registry.send('POST', path, undefined, annas)),
        asked(await registry.send('POST', path, undefined, berts)),
      ];
      await registry.approve(first, anna);
      await registry.approve(second, bert);
      const answers = await Promise.all([second, second, first].map((each, at) => registry.complete(each, at < 2 ? berts : annas)));
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 404, 404]);
    });

    it('needs two persons for the keys of a relying party too, by which it proves itself in place of its secret', async () => {
      const clientId = await registry.client();
      const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
      const jwks = { keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'first' }] };
      const approval = asked(await registry.send('PATCH', `/clients/${clientId}`, { jwks }, annas));
      expect(approval).toMatchObject({ title: 'Shop: other keys' });
      await registry.approve(approval, anna);
      expect(refusal(await registry.complete(approval, annas))).toEqual([409, 'approval_required']);
      expect(refusal(await registry.call('PATCH', `/clients/${clientId}`, { jwks }))).toEqual([409, 'approval_required']);
      expect((await registry.call('GET', `/clients/${clientId}`)).body['jwks']).toBeUndefined();
    });

    it('other changes need one person', async () => {
      expect((await registry.call('POST', '/clients', { ...CLIENT, name: 'Other' }, annas)).status).toBe(201);
    });

    it('a new admin token needs two persons, and its terms must be the same', async () => {
      const add = (role: string, by: Record<string, string> = {}) =>
        registry.call('POST', '/admin-tokens', { name: 'third', role, expires_at: registry.inADay() }, by);
      expect((await add('support')).status).toBe(409);
      expect((await add('support', annas)).status).toBe(409);
      expect((await add('read', berts)).status).toBe(409);
      expect((await add('support', berts)).status).toBe(201);
    });
  });
});
