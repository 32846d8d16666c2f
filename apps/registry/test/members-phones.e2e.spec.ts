import { USUAL_STORES } from '#testkit/event-store/store-engines';
import type { ClientId, DeviceId } from '#kernel';
import { testPlatform } from '#testkit/platform/test-platform';

import { type Answer, type PersonHeaders, type PersonWithPhone, registryFixture } from './registry.fixture.js';

const DAY = 24 * 3_600_000;

describe.each(USUAL_STORES)('over $engine', ({ open }) => {
  let registry: Awaited<ReturnType<typeof registryFixture>>;
  let clientId: ClientId;
  let mari: PersonWithPhone;
  let earlier: DeviceId;
  let maris: PersonHeaders;

  beforeEach(async () => {
    registry = await registryFixture(await testPlatform({}, {}, open));
    clientId = (await registry.client()) as ClientId;
    mari = await registry.newPerson();
    earlier = await registry.phoneOf(mari.identityId);
    registry.platform.clock.advance(1);
    maris = await registry.member({ clientId, role: 'owner' }, mari);
    registry.platform.clock.advance(1);
  });
  afterEach(() => registry.close());

  const refusal = ({ status, body }: Answer) => [status, body['errorCode']];
  const look = async (deviceId: DeviceId) =>
    (await registry.call('GET', `/clients/${clientId}`, undefined, await registry.session({ ...mari, deviceId }))).status;
  const phones = async (by: PersonHeaders = maris, path = '/own/phones') =>
    (await registry.call('GET', path, undefined, by)).body['phones'] as {
      phoneId: string;
      trusted: boolean;
      trustedFrom?: number;
      enrolledBy: string[];
    }[];
  const idOf = (deviceId: DeviceId): string => registry.platform.useCases.administration().portalPhones.idOf(deviceId);

  describe('a phone of a member', () => {
    it('that staff has enrolled before the joining never acts in the portal, however long it waits', async () => {
      expect(await look(earlier)).toBe(403);
      registry.platform.clock.advance(400 * DAY);
      expect(await look(earlier)).toBe(403);
    });

    it('that was enrolled later acts after a day', async () => {
      const later = await registry.phoneOf(mari.identityId);
      expect(await look(later)).toBe(403);
      registry.platform.clock.advance(DAY - 1);
      expect(await look(later)).toBe(403);
      registry.platform.clock.advance(1);
      expect(await look(later)).toBe(200);
    });

    it('acts at once after the approval of the phone of the joining, and as long as that one counts', async () => {
      expect((await registry.call('POST', `/own/phones/${idOf(earlier)}/approval`, undefined, maris)).status).toBe(204);
      expect(await look(earlier)).toBe(200);
      const session = await registry.session({ ...mari, deviceId: earlier });
      await registry.call('DELETE', `/identities/${mari.identityId}/devices/${mari.deviceId}`);
      expect((await registry.call('GET', `/clients/${clientId}`, undefined, session)).status).toBe(403);
    });

    it('invites no one any more once the phone that has approved it is revoked', async () => {
      await registry.call('POST', `/own/phones/${idOf(earlier)}/approval`, undefined, maris);
      const session = await registry.session({ ...mari, deviceId: earlier });
      const { portalMembers } = registry.platform.useCases.administration();
      const invite = async () =>
        String((await registry.call('POST', `/clients/${clientId}/invitations`, { label: 'thief', role: 'owner' }, session)).body['link']).split(
          '#invitation=',
        )[1]!;
      const [used, open] = [await invite(), await invite()];
      await portalMembers.join(used, await registry.newPerson());
      await registry.platform.useCases.phones().revokeDevice.execute(mari.identityId, mari.deviceId);
      await expect(portalMembers.join(open, await registry.newPerson())).rejects.toMatchObject({ code: 'invitation_not_found' });
    });

    it('is not approved by itself, by another person, or without the phone', async () => {
      const own = await registry.session({ ...mari, deviceId: earlier });
      expect(refusal(await registry.call('POST', `/own/phones/${idOf(earlier)}/approval`, undefined, own))).toEqual([403, 'forbidden']);
      const stranger = await registry.member({ clientId, role: 'owner' });
      expect(refusal(await registry.call('POST', `/own/phones/${idOf(earlier)}/approval`, undefined, stranger))).toEqual([404, 'device_not_found']);
      expect((await registry.send('POST', `/own/phones/${idOf(earlier)}/approval`, undefined, maris)).status).toBe(202);
      expect(await look(earlier)).toBe(403);
    });

    it('is stopped by the person, by an owner and by security, before it acts', async () => {
      const [security, owner] = [await registry.newPerson(), await registry.newPerson()];
      await registry.member({ roles: ['security', 'operator'] }, security);
      await registry.member({ clientId, role: 'owner' }, owner);
      const ofMember = (id: string): string => `/clients/${clientId}/members/${mari.subjectId}/phones/${id}`;
      for (const [by, path] of [
        [mari, (id: string) => `/own/phones/${id}/approval`],
        [owner, ofMember],
        [security, ofMember],
      ] as const) {
        const later = await registry.phoneOf(mari.identityId);
        expect((await registry.call('DELETE', path(idOf(later)), undefined, await registry.session(by))).status).toBe(204);
        registry.platform.clock.advance(2 * DAY);
        expect(await look(later)).toBe(403);
      }
    });

    it('that an owner of one team has stopped acts for the staff and other teams as before, and the invitations made with it there stay', async () => {
      const { portalMembers } = registry.platform.useCases.administration();
      const other = (await registry.client({ name: 'Other' })) as ClientId;
      // An owner of one team, the attacker, has got a member of the staff to join it, who leads another team too.
      const victim = await registry.newPerson();
      for (const scope of [{ roles: ['security'] }, { clientId: other }, { clientId }] as const) await registry.member(scope, victim);
      registry.platform.clock.advance(1);
      const second = await registry.phoneOf(victim.identityId);
      registry.platform.clock.advance(DAY);
      const by = { id: victim.subjectId, human: { ...victim, deviceId: second, sessionId: '' } };
      await portalMembers.invite('a-post', { roles: ['read'] }, by);
      for (const place of [other, clientId]) await portalMembers.invite('a-post', { clientId: place, role: 'viewer' }, { ...by, through: place });

      const attacker = await registry.session(mari);
      const path = `/clients/${clientId}/members/${victim.subjectId}/phones`;
      expect((await registry.call('DELETE', `${path}/${idOf(second)}`, undefined, attacker)).status).toBe(204);
      const session = await registry.session({ ...victim, deviceId: second });
      const answers = ['/audit', `/clients/${other}/subject-migrations`, `/clients/${clientId}/subject-migrations`].map((each) =>
        registry.call('GET', each, undefined, session),
      );
      expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 200, 403]);
      const open = [undefined, other, clientId].map((place) => portalMembers.team(place));
      expect((await Promise.all(open)).map(({ invitations }) => invitations.length)).toEqual([1, 1, 0]);
      // The team is told of its own place alone.
      const shown = await phones(attacker, path);
      expect(shown.find(({ phoneId }) => phoneId === idOf(second))).toMatchObject({ trusted: false });
      expect((await phones(session)).find(({ phoneId }) => phoneId === idOf(second))).toMatchObject({ trusted: true });
    });

    it('that security has stopped stays so for the staff, whatever a phone of another place approves', async () => {
      const victim = await registry.newPerson();
      await registry.member({ roles: ['security'] }, victim);
      registry.platform.clock.advance(1);
      const [joinedTeam, fresh] = [await registry.phoneOf(victim.identityId), await registry.phoneOf(victim.identityId)];
      const security = await registry.member({ roles: ['security'] });
      for (const phone of [joinedTeam, fresh])
        expect((await registry.call('DELETE', `/members/${victim.subjectId}/phones/${idOf(phone)}`, undefined, security)).status).toBe(204);
      // A thief of that phone joins a team of the thief with it, where it acts, and approves the other one.
      await registry.member({ clientId }, { ...victim, deviceId: joinedTeam });
      const thief = await registry.session({ ...victim, deviceId: joinedTeam });
      expect((await registry.call('POST', `/own/phones/${idOf(fresh)}/approval`, undefined, thief)).status).toBe(204);
      registry.platform.clock.advance(2 * DAY);
      const look = async (deviceId: DeviceId, path: string) =>
        (await registry.call('GET', path, undefined, await registry.session({ ...victim, deviceId }))).status;
      for (const phone of [joinedTeam, fresh]) expect([await look(phone, '/audit'), await look(phone, `/clients/${clientId}`)]).toEqual([403, 200]);
      expect(await look(victim.deviceId, '/audit')).toBe(200);
    });

    it('is news to those who can stop it, for seven days, and to no one else', async () => {
      const team = `/clients/${clientId}/members`;
      const news = async (path: string, by?: PersonHeaders) => (await registry.call('GET', path, undefined, by)).body['newPhones'] as unknown;
      await registry.member({ roles: ['operator'] }, mari);
      const [owner, viewer] = [await registry.member({ clientId, role: 'owner' }), await registry.member({ clientId, role: 'viewer' })];
      const [security, reader] = [await registry.member({ roles: ['security'] }), await registry.member({ roles: ['read'] })];
      registry.platform.clock.advance(1);
      const later = await registry.phoneOf(mari.identityId);
      const told = { subjectId: mari.subjectId, label: 'a-post', trusted: false };
      // The one from before the joining is a new one of the person, too, and never acts by waiting.
      const both = [
        { ...told, phoneId: idOf(later), trustedFrom: expect.any(Number) },
        { ...told, phoneId: idOf(earlier) },
      ];
      for (const [path, by] of [
        [team, owner],
        ['/members', security],
      ] as const)
        expect(await news(path, by)).toMatchObject(both);
      expect([await news(team, viewer), await news(team, reader)]).toEqual([undefined, undefined]);
      const reading = {
        authorization: `Bearer ${(await registry.token('operator', 'reading', { routes: ['GET /admin/v1/clients/:clientId/members'] })).token}`,
      };
      expect((await registry.call('GET', team, undefined, reading)).body).not.toHaveProperty('newPhones');
      expect((await registry.call('DELETE', `${team}/${mari.subjectId}/phones/${idOf(later)}`, undefined, owner)).status).toBe(204);
      expect(await news(team, owner)).not.toMatchObject([{ trustedFrom: expect.any(Number) }, {}]);
      registry.platform.clock.advance(7 * DAY);
      expect(await news(team)).toEqual([]);
    });

    it('is shown with its origin, by an id of the portal alone', async () => {
      const security = await registry.member({ roles: ['security'] });
      const issued = await registry.call('POST', `/identities/${mari.identityId}/activation-codes`, undefined, security);
      expect(issued.status).toBe(201);
      const { deviceId } = await registry.enrol(String(issued.body['activationCode']));
      const [newest] = await phones();
      expect(newest).toEqual({
        phoneId: idOf(deviceId),
        enrolledAt: expect.any(Number),
        enrolledBy: [expect.any(String)],
        trusted: false,
        trustedFrom: expect.any(Number),
      });
      expect((await phones()).map(({ trusted }) => trusted).filter(Boolean)).toHaveLength(1);
      const owner = await registry.member({ clientId, role: 'owner' });
      const text = JSON.stringify(await phones(owner, `/clients/${clientId}/members/${mari.subjectId}/phones`));
      for (const hidden of [deviceId, mari.deviceId, mari.identityId]) expect(text).not.toContain(hidden);
    });

    it('counts for each membership by the phone of its joining', async () => {
      const other = (await registry.client({ name: 'Other' })) as ClientId;
      await registry.member({ clientId: other, role: 'viewer' }, { ...mari, deviceId: earlier });
      const session = await registry.session({ ...mari, deviceId: earlier });
      expect((await registry.call('GET', `/clients/${other}`, undefined, session)).status).toBe(200);
      expect((await registry.call('GET', `/clients/${clientId}`, undefined, session)).status).toBe(403);
    });

    it('gets no rights of the first one by an invitation to the same place', async () => {
      const { portalMembers } = registry.platform.useCases.administration();
      const { code } = await portalMembers.invite('a-post', { clientId, role: 'viewer' }, { id: 'first-start' });
      await portalMembers.join(code.reveal(), { ...mari, deviceId: earlier });
      const session = await registry.session({ ...mari, deviceId: earlier });
      expect(await look(earlier)).toBe(200);
      expect((await registry.send('POST', `/clients/${clientId}/secret`, undefined, session)).status).toBe(403);
      expect((await registry.send('POST', `/clients/${clientId}/secret`, undefined, maris)).status).toBe(202);
    });

    it('leaves nothing behind when the person is erased', async () => {
      await registry.call('POST', `/own/phones/${idOf(earlier)}/approval`, undefined, maris);
      expect(await registry.events('portalphones', mari.identityId)).toEqual(['PhoneAdmitted']);
      expect((await registry.call('DELETE', `/identities/${mari.identityId}`)).status).toBe(204);
      expect(await registry.events('portalphones', mari.identityId)).toEqual([]);
    });
  });
});
