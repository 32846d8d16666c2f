import { USUAL_STORES } from '#testkit/event-store/store-engines';
import type { ClientId } from '#kernel';
import { testPlatform } from '#testkit/platform/test-platform';

import { type Answer, type PersonHeaders, type PersonWithPhone, registryFixture } from './registry.fixture.js';

describe.each(USUAL_STORES)('over $engine', ({ open }) => {
  let registry: Awaited<ReturnType<typeof registryFixture>>;
  let clientId: ClientId;
  let path: string;
  let owner: PersonWithPhone;
  let trainee: PersonWithPhone;
  let owners: PersonHeaders;
  let trainees: PersonHeaders;

  const begin = async (environment: Record<string, string> = {}): Promise<void> => {
    registry = await registryFixture(await testPlatform(environment, {}, open));
    clientId = (await registry.client({ dynamic_qr: true, verification_code: true })) as ClientId;
    path = `/clients/${clientId}`;
    [owner, trainee] = [await registry.newPerson(), await registry.newPerson()];
    owners = await registry.member({ clientId, role: 'owner' }, owner);
    trainees = await registry.member({ clientId, role: 'developer' }, trainee);
  };
  beforeEach(() => begin());
  afterEach(() => registry.close());

  const refusal = ({ status, body }: Answer) => [status, body['errorCode']];
  const team = async () => {
    const { body } = await registry.call('GET', `${path}/members`);
    return body as { members: { subjectId: string; role: string }[]; invitations: { role: string }[] };
  };
  const join = (answer: Answer, person: PersonWithPhone) => {
    const { portalMembers } = registry.platform.useCases.administration();
    return portalMembers.join(String(answer.body['link']).split('#invitation=')[1] ?? '', person);
  };

  describe('a trainee in the team', () => {
    it('neither removes the inviter, nor issues the secret, nor invites', async () => {
      for (const [method, to, body] of [
        ['DELETE', `/members/${owner.subjectId}`, undefined],
        ['PATCH', `/members/${trainee.subjectId}`, { role: 'owner' }],
        ['POST', '/secret', undefined],
        ['POST', '/invitations', { label: 'back-door' }],
      ] as const)
        expect(refusal(await registry.call(method, path + to, body, trainees))).toEqual([403, 'forbidden']);
      expect((await team()).members).toHaveLength(2);
    });

    it.each([
      ['without consent', {}],
      ['with CLIENT_CONSENT', { CLIENT_CONSENT: 'true' }],
    ])('switches no protection off, %s', async (_, environment) => {
      await registry.close();
      await begin(environment);
      for (const body of [
        { dynamic_qr: false },
        { verification_code: false },
        { token_endpoint_auth_method: '' },
        { jwks: { keys: [] } },
        { backchannel_client_notification_endpoint: 'https://rp.example/ciba' },
        { backchannel_logout_uri: 'https://rp.example/logout' },
        { redirect_uris: ['https://rp.example/new'], dynamic_qr: false },
      ])
        expect(refusal(await registry.call('PATCH', path, body, trainees))).toEqual([403, 'forbidden']);
      expect((await registry.call('GET', path)).body).toMatchObject({ dynamicQr: true, verificationCode: true });
      expect((await registry.call('PATCH', path, { dynamic_qr: true, verification_code: true }, trainees)).status).toBe(200);
    });
  });

  describe('an owner', () => {
    it('switches protections off, after the approval on the phone', async () => {
      expect((await registry.send('PATCH', path, { dynamic_qr: false }, owners)).status).toBe(202);
      expect((await registry.call('PATCH', path, { dynamic_qr: false }, owners)).body).toMatchObject({ dynamicQr: false });
    });

    it('asks for it with CLIENT_CONSENT, and an operator accepts', async () => {
      await registry.close();
      await begin({ CLIENT_CONSENT: 'true' });
      expect((await registry.call('PATCH', path, { verification_code: false }, owners)).body).toMatchObject({ verificationCode: true });
      const { waiting } = (await registry.call('GET', `${path}/waiting-change`)).body as { waiting: { changeId: string; changes: object } };
      expect(waiting.changes).toEqual({ verificationCode: false });
      await registry.call('POST', `${path}/waiting-change/acceptance`, { change_id: waiting.changeId });
      expect((await registry.call('GET', path)).body).toMatchObject({ verificationCode: false });
    });

    it('stays as the last one, also against the own request', async () => {
      for (const by of [owners, {}]) {
        expect(refusal(await registry.call('DELETE', `${path}/members/${owner.subjectId}`, undefined, by))).toEqual([409, 'last_owner']);
        expect(refusal(await registry.call('PATCH', `${path}/members/${owner.subjectId}`, { role: 'viewer' }, by))).toEqual([409, 'last_owner']);
      }
      expect((await registry.call('PATCH', `${path}/members/${trainee.subjectId}`, { role: 'owner' }, owners)).status).toBe(204);
      expect((await registry.call('DELETE', `${path}/members/${owner.subjectId}`, undefined, trainees)).status).toBe(204);
      expect(await team()).toMatchObject({ members: [{ subjectId: trainee.subjectId, role: 'owner' }] });
    });

    it('and another one do not remove each other at the same moment', async () => {
      await registry.call('PATCH', `${path}/members/${trainee.subjectId}`, { role: 'owner' });
      const both = [owner, trainee].map(({ subjectId }) => registry.call('DELETE', `${path}/members/${subjectId}`));
      expect((await Promise.all(both)).map(({ status }) => status).toSorted()).toEqual([204, 409]);
    });
  });

  describe('an invitation', () => {
    it('without a role makes an owner first, and then viewers', async () => {
      const empty = (await registry.client({ name: 'Empty' })) as ClientId;
      const invite = (by: Record<string, string> = {}) => registry.call('POST', `/clients/${empty}/invitations`, { label: 'a-post' }, by);
      const first = await registry.newPerson();
      await join(await invite(), first);
      await join(await invite(), await registry.newPerson());
      const { body } = await registry.call('GET', `/clients/${empty}/members`);
      expect((body['members'] as { role: string }[]).map(({ role }) => role)).toEqual(['owner', 'viewer']);
    });

    it('made elsewhere survives the removal from one client, and by a member of another client no tenant voids it', async () => {
      const other = (await registry.client({ name: 'Other' })) as ClientId;
      await registry.member({ clientId: other, role: 'owner' }, owner);
      await registry.member({ clientId: other, role: 'owner' });
      await registry.member({ roles: ['operator'] }, owner);
      const there = await registry.call('POST', `/clients/${clientId}/invitations`, { label: 'here' }, owners);
      // As staff: the role `operator` invites to each client.
      const staffs = await registry.session(owner);
      const byStaff = await registry.call('POST', `/clients/${other}/invitations`, { label: 'there' }, staffs);
      expect((await registry.call('DELETE', `/clients/${other}/members/${owner.subjectId}`)).status).toBe(204);
      for (const answer of [there, byStaff]) await join(answer, await registry.newPerson());
    });

    it('ends with the role by which it was made', async () => {
      await registry.call('PATCH', `${path}/members/${trainee.subjectId}`, { role: 'owner' });
      const answer = await registry.call('POST', `${path}/invitations`, { label: 'back-door' }, trainees);
      expect(answer.status).toBe(201);
      await registry.call('PATCH', `${path}/members/${trainee.subjectId}`, { role: 'viewer' }, owners);
      await expect(join(answer, await registry.newPerson())).rejects.toMatchObject({ code: 'invitation_not_found' });
    });
  });

  describe('the staff', () => {
    it('keeps the last member with security', async () => {
      const person = await registry.newPerson();
      const headers = await registry.member({ roles: ['security', 'operator'] }, person);
      for (const by of [headers, {}])
        expect(refusal(await registry.call('DELETE', `/members/${person.subjectId}`, undefined, by))).toEqual([409, 'last_owner']);
      expect(refusal(await registry.call('PATCH', `/members/${person.subjectId}`, { roles: ['read'] }, headers))).toEqual([409, 'last_owner']);
      await registry.member({ roles: ['security'] });
      expect((await registry.call('DELETE', `/members/${person.subjectId}`, undefined, headers)).status).toBe(204);
    });
  });

  describe('the sessions of a person', () => {
    it('are listed and ended by the person alone', async () => {
      const other = await registry.session(owner);
      const { sessions } = (await registry.call('GET', '/own/sessions', undefined, owners)).body as {
        sessions: { sessionId: string; current: boolean }[];
      };
      expect(sessions.map(({ current }) => current).toSorted()).toEqual([false, true]);
      const second = sessions.find(({ current }) => !current)!;
      expect(refusal(await registry.call('DELETE', `/own/sessions/${second.sessionId}`, undefined, trainees))).toEqual([
        404,
        'portal_session_not_found',
      ]);
      expect((await registry.call('DELETE', `/own/sessions/${second.sessionId}`, undefined, owners)).status).toBe(204);
      expect((await registry.call('GET', path, undefined, other)).status).toBe(401);
      expect((await registry.call('GET', path, undefined, owners)).status).toBe(200);
    });

    it('are ended by security for a member of the staff', async () => {
      const person = await registry.newPerson();
      const [theirs, second] = [await registry.member({ roles: ['read'] }, person), await registry.session(person)];
      const security = await registry.member({ roles: ['security'] });
      expect((await registry.call('DELETE', `/members/${person.subjectId}/sessions`, undefined, security)).status).toBe(204);
      for (const by of [theirs, second]) expect((await registry.call('GET', '/clients', undefined, by)).status).toBe(401);
    });
  });
});
