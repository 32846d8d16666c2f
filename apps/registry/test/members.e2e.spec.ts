import { USUAL_STORES } from '#testkit/event-store/store-engines';
import type { ClientId } from '#kernel';
import { testPlatform } from '#testkit/platform/test-platform';

import { type PersonWithPhone, registryFixture } from './registry.fixture.js';

const HOUR = 3_600_000;

describe.each(USUAL_STORES)('over $engine', ({ open }) => {
  let registry: Awaited<ReturnType<typeof registryFixture>>;
  let clientId: ClientId;
  let mari: PersonWithPhone;
  let jonas: PersonWithPhone;

  beforeEach(async () => {
    registry = await registryFixture(await testPlatform({}, {}, open));
    clientId = (await registry.client()) as ClientId;
    [mari, jonas] = [await registry.newPerson(), await registry.newPerson()];
  });
  afterEach(() => registry.close());

  const useCases = () => registry.platform.useCases.administration();
  const join = (link: unknown, person: PersonWithPhone) => useCases().portalMembers.join(String(link).split('#invitation=')[1] ?? '', person);
  const refusal = ({ status, body }: { status: number; body: Record<string, unknown> }) => [status, body['errorCode']];

  describe("a person's session", () => {
    it("reaches the person's own client, and only with the header that no form can send", async () => {
      const { cookie } = await registry.member({ clientId });
      const path = `/clients/${clientId}`;
      expect(refusal(await registry.call('GET', path, undefined, { cookie }))).toEqual([403, 'portal_header_required']);
      expect((await registry.call('GET', path, undefined, { cookie, 'x-service-portal': '1' })).status).toBe(200);
    });

    it.each([
      ['altered', (cookie: string) => `${cookie.slice(0, -2)}xx`],
      ['of another purpose', () => 'svc_portal=c29tZXRoaW5n'],
    ])('is nothing when the cookie is %s', async (_, change) => {
      const { cookie } = await registry.member({ roles: ['security'] });
      const headers = { cookie: change(cookie), 'x-service-portal': '1' };
      expect(refusal(await registry.call('GET', '/audit', undefined, headers))).toEqual([401, 'unauthorized']);
    });

    it('is that of the live cookie among several; two live ones are refused, since one is planted', async () => {
      const { cookie } = await registry.member({ roles: ['security'] });
      const { cookie: planted } = await registry.member({ roles: ['security'] });
      const asked = async (header: string) => registry.call('GET', '/audit', undefined, { cookie: header, 'x-service-portal': '1' });
      for (const header of [`svc_portal=bad; ${cookie}`, `${cookie}; svc_portal=bad`, `${cookie}; ${cookie}`])
        expect((await asked(header)).status).toBe(200);
      expect(refusal(await asked(`${planted}; ${cookie}`))).toEqual([401, 'unauthorized']);
    });

    it('ends after an hour, and when the person logs out', async () => {
      const headers = await registry.member({ roles: ['read'] });
      const other = await registry.member({ roles: ['read'] });
      await useCases().portalSessions.end(other.cookie.replace('svc_portal=', ''));
      expect((await registry.call('GET', '/clients', undefined, other)).status).toBe(401);
      for (let minutes = 10; minutes < 60; minutes += 10) {
        registry.platform.clock.advance(HOUR / 6);
        expect((await registry.call('GET', '/clients', undefined, headers)).status).toBe(200);
      }
      registry.platform.clock.advance(HOUR / 6);
      expect((await registry.call('GET', '/clients', undefined, headers)).status).toBe(401);
    });

    it('ends when the person is removed, and gives no rights when the person is invited anew', async () => {
      const sessions = [await registry.member({ clientId }, mari), await registry.session(mari)];
      await registry.member({ clientId });
      const status = async (headers: Record<string, string>) => (await registry.call('GET', `/clients/${clientId}`, undefined, headers)).status;
      expect((await registry.call('DELETE', `/clients/${clientId}/members/${mari.subjectId}`)).status).toBe(204);
      for (const headers of sessions) expect(await status(headers)).toBe(401);
      expect(await status(await registry.member({ clientId }, mari))).toBe(200);
      for (const headers of sessions) expect(await status(headers)).toBe(401);
    });

    it('goes on without the rights of a place that the person was removed from, where another is left: no tenant logs out the members of another', async () => {
      const other = (await registry.client({ name: 'Other' })) as ClientId;
      await registry.member({ clientId: other }, mari);
      const headers = await registry.member({ clientId }, mari);
      await registry.member({ clientId });
      expect((await registry.call('DELETE', `/clients/${clientId}/members/${mari.subjectId}`)).status).toBe(204);
      expect(refusal(await registry.call('GET', `/clients/${clientId}`, undefined, headers))).toEqual([403, 'forbidden']);
      expect((await registry.call('GET', `/clients/${other}`, undefined, headers)).status).toBe(200);
    });

    it('is the actor of its changes on the audit trail', async () => {
      const headers = await registry.member({ clientId }, mari);
      await registry.call('POST', `/clients/${clientId}/secret`, undefined, headers);
      const { entries } = (await registry.call('GET', '/audit?limit=2')).body as { entries: readonly object[] };
      // The completion of the approval, and within it the change.
      expect(entries).toEqual([
        expect.objectContaining({ actor: mari.subjectId, role: 'member', action: 'POST /admin/v1/approvals/:approvalId/completion' }),
        expect.objectContaining({ actor: mari.subjectId, role: 'member', action: 'POST /admin/v1/clients/:clientId/secret' }),
      ]);
    });

    it('cannot be guessed faster than a token', async () => {
      const headers = { cookie: 'svc_portal=abc', 'x-service-portal': '1' };
      const limited = await registryFixture();
      const statuses: number[] = [];
      for (let count = 0; count <= limited.platform.settings.authenticationFailureLimit; count += 1)
        statuses.push((await limited.call('GET', '/clients', undefined, headers)).status);
      await limited.close();
      expect(statuses.at(-2)).toBe(401);
      expect(statuses.at(-1)).toBe(429);
    });
  });

  describe('an invitation', () => {
    it('leads to the portal and is shown once', async () => {
      const { status, body } = await registry.call('POST', `/clients/${clientId}/invitations`, { label: 'shop-owner' });
      expect([status, String(body['link']).split('=')[0]]).toEqual([201, 'http://localhost:3000/portal/#invitation']);
      const listed = await registry.call('GET', `/clients/${clientId}/members`);
      expect(listed.body).toEqual({
        members: [],
        invitations: [{ invitationId: body['invitationId'], label: 'shop-owner', role: 'owner', expiresAt: body['expiresAt'] }],
        newPhones: [],
      });
      const stored = JSON.stringify(await registry.data('portalmembers', 'all'));
      expect(stored).not.toContain(String(body['link']).split('=')[1]);
    });

    it('of a member gives no more than the membership of that client', async () => {
      const headers = await registry.member({ clientId });
      const widened = { label: 'shop-owner', roles: ['security'] };
      expect(refusal(await registry.call('POST', `/clients/${clientId}/invitations`, widened, headers))).toEqual([400, 'invalid_request']);
      expect(refusal(await registry.call('POST', '/invitations', widened, headers))).toEqual([403, 'forbidden']);
      const { body } = await registry.call('POST', `/clients/${clientId}/invitations`, { label: 'shop-owner' }, headers);
      await join(body['link'], jonas);
      expect(await useCases().portalMembers.of(jonas.identityId)).toEqual([expect.objectContaining({ scope: { clientId, role: 'viewer' } })]);
    });

    it('that a member made is void after the member was removed', async () => {
      const headers = await registry.member({ clientId }, mari);
      await registry.member({ clientId });
      const { body } = await registry.call('POST', `/clients/${clientId}/invitations`, { label: 'back-door' }, headers);
      await registry.call('DELETE', `/clients/${clientId}/members/${mari.subjectId}`);
      await expect(join(body['link'], mari)).rejects.toMatchObject({ code: 'invitation_not_found' });
    });

    it('makes one member of two who use it at the same time', async () => {
      const { body } = await registry.call('POST', '/invitations', { label: 'night-shift', roles: ['support'] });
      const outcomes = await Promise.allSettled([join(body['link'], mari), join(body['link'], jonas)]);
      expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
      expect((await registry.call('GET', '/members')).body).toMatchObject({
        members: [{ label: 'night-shift', roles: ['support'] }],
        invitations: [],
      });
    });

    it('of another client, or of a client that does not exist, cannot be made or withdrawn', async () => {
      const other = await registry.client({ name: 'Other shop' });
      const { body } = await registry.call('POST', `/clients/${other}/invitations`, { label: 'shop-owner' });
      const withdraw = `/clients/${clientId}/invitations/${String(body['invitationId'])}`;
      expect(refusal(await registry.call('DELETE', withdraw))).toEqual([404, 'invitation_not_found']);
      const nowhere = '/clients/00000000-0000-4000-8000-000000000000/invitations';
      expect(refusal(await registry.call('POST', nowhere, { label: 'shop-owner' }))).toEqual([404, 'client_not_found']);
    });
  });

  describe('a member of a relying party', () => {
    it('changes where logins return to, and neither the name nor what the client may ask for', async () => {
      const headers = await registry.member({ clientId });
      const change = (body: object) => registry.call('PATCH', `/clients/${clientId}`, body, headers);
      expect((await change({ redirect_uris: ['https://rp.example/new'], dynamic_qr: true, verification_code: true })).status).toBe(200);
      expect((await change({ finish_by_number: false })).status).toBe(200);
      for (const body of [
        { finish_by_number: true },
        { name: 'Bank' },
        { allowed_attributes: ['personalCode'] },
        { allowed_predicates: ['ageOver*'], dynamic_qr: true },
      ])
        expect(refusal(await change(body))).toEqual([403, 'forbidden']);
      expect((await registry.call('GET', `/clients/${clientId}`)).body).toMatchObject({ name: 'Shop', redirectUris: ['https://rp.example/new'] });
    });
  });

  describe('the first administrator', () => {
    it('is invited by the same link at each start, until the staff has had a member', async () => {
      const { portalMembers } = useCases();
      const first = await portalMembers.inviteFirst('first-start');
      const again = await portalMembers.inviteFirst('first-start');
      expect(again?.code.reveal()).toBe(first?.code.reveal());
      expect(await registry.data('portalmembers', 'all')).toHaveLength(1);
      await portalMembers.join(again?.code.reveal() ?? '', mari);
      expect(await portalMembers.inviteFirst('first-start')).toBeUndefined();
      expect(await portalMembers.of(mari.identityId)).toEqual([
        expect.objectContaining({ scope: { roles: ['read', 'support', 'operator', 'security'] } }),
      ]);
    });

    it('is invited by a new link when the former is over or was withdrawn', async () => {
      const { portalMembers } = useCases();
      const first = await portalMembers.inviteFirst('first-start');
      await portalMembers.withdraw(first!.invitationId, undefined, 'first-start');
      const second = await portalMembers.inviteFirst('first-start');
      registry.platform.clock.advance(72 * HOUR);
      const third = await portalMembers.inviteFirst('first-start');
      expect(new Set([first, second, third].map((invited) => invited?.code.reveal())).size).toBe(3);
      await expect(portalMembers.join(second?.code.reveal() ?? '', mari)).rejects.toMatchObject({ code: 'invitation_not_found' });
    });
  });
});
