import { AsyncLocalStorage } from 'node:async_hooks';

import { useCasesOf } from '#service/platform';
import { EventStoreUnavailable, UnitOfWork } from '#engines/event-store';
import { USUAL_STORES } from '#testkit/event-store/store-engines';
import { type ClientId, type DeviceId, type SessionId, sha256Base64url } from '#kernel';
import { testPlatform } from '#testkit/platform/test-platform';

import { countStoreCalls } from '#testkit/session/count-store-calls';
import { type Answer, type PersonHeaders, type PersonWithPhone, registryFixture } from './registry.fixture.js';

const HOUR = 3_600_000;

describe.each(USUAL_STORES)('over $engine', ({ open }) => {
  let registry: Awaited<ReturnType<typeof registryFixture>>;
  let clientId: ClientId;
  let admin: PersonWithPhone;
  let session: PersonHeaders;

  beforeEach(async () => {
    registry = await registryFixture(await testPlatform({}, {}, open));
    clientId = (await registry.client()) as ClientId;
    admin = await registry.newPerson();
    session = await registry.member({ roles: ['security', 'operator'] }, admin);
    await registry.member({ clientId }, admin);
  });
  afterEach(() => registry.close());

  const statusOf = ({ status }: Answer): number => status;
  const look = async (by: PersonHeaders = session): Promise<number> => statusOf(await registry.call('GET', '/audit', undefined, by));
  const erase = async (): Promise<number> => statusOf(await registry.call('DELETE', `/identities/${admin.identityId}`));
  const revoke = async (deviceId: DeviceId = admin.deviceId): Promise<number> =>
    statusOf(await registry.call('DELETE', `/identities/${admin.identityId}/devices/${deviceId}`));
  /** The code of an invitation made in the session. */
  const invited = async (by: PersonHeaders = session, path = '/invitations'): Promise<string> => {
    const body = { label: 'back-door', ...(path === '/invitations' && { roles: ['security'] }) };
    const answer = await registry.call('POST', path, body, by);
    expect(answer.status).toBe(201);
    return String(answer.body['link']).split('#invitation=')[1] ?? '';
  };
  const join = (code: string, person: PersonWithPhone) => registry.platform.useCases.administration().portalMembers.join(code, person);
  /** In another process, whose commands on the members' stream do not wait for those of this one. */
  const joinElsewhere = (code: string, person: PersonWithPhone) => {
    const { platform } = registry;
    const unitOfWork = new UnitOfWork(platform.eventStore, platform.clock);
    return useCasesOf({ ...platform, unitOfWork })
      .administration()
      .portalMembers.join(code, person);
  };
  /** Runs the change when the next event of the members is about to be stored. */
  const beforeNextMember = (change: () => unknown): void => {
    const { eventStore } = registry.platform;
    const [append, together] = [eventStore.append.bind(eventStore), eventStore.appendTogether.bind(eventStore)];
    const before = async (streams: readonly string[]): Promise<void> => {
      if (!streams.some((stream) => stream.startsWith('portalmembers-'))) return;
      [eventStore.append, eventStore.appendTogether] = [append, together];
      await change();
    };
    eventStore.append = (stream, ...rest) => before([stream]).then(() => append(stream, ...rest));
    // A store without transactions answers undefined before it stores anything.
    eventStore.appendTogether = async (appends, ...rest) => {
      if ((await together([])) !== undefined) await before(appends.map(({ stream }) => stream));
      return together(appends, ...rest);
    };
  };
  const isVoid = async (code: string): Promise<void> =>
    expect(join(code, await registry.newPerson())).rejects.toMatchObject({ code: 'invitation_not_found' });
  const team = async (path: string) => {
    const { members, invitations } = (await registry.call('GET', path)).body as { members: { subjectId: string }[]; invitations: object[] };
    return { members: members.map(({ subjectId }) => subjectId), invitations: invitations.length };
  };
  /** Lets the store refuse to append to the streams of a category from now on, as in a crash before the append. */
  const failFrom = (category: string): (() => void) => {
    const { eventStore } = registry.platform;
    const [append, together] = [eventStore.append.bind(eventStore), eventStore.appendTogether.bind(eventStore)];
    const refuse = (streams: readonly string[]): void => {
      if (streams.some((stream) => stream.startsWith(`${category}-`))) throw new EventStoreUnavailable('the disk is full');
    };
    eventStore.append = async (stream, ...rest) => {
      refuse([stream]);
      return append(stream, ...rest);
    };
    eventStore.appendTogether = async (appends, ...rest) => {
      refuse(appends.map(({ stream }) => stream));
      return together(appends, ...rest);
    };
    return () => void ([eventStore.append, eventStore.appendTogether] = [append, together]);
  };

  describe('the erasure of a member', () => {
    it('ends sessions, memberships and open invitations before it is answered', async () => {
      const [toStaff, toClient] = [await invited(), await invited(session, `/clients/${clientId}/invitations`)];
      const other = await registry.session(admin);
      expect(await look()).toBe(200);
      expect(await erase()).toBe(204);
      for (const each of [session, other]) {
        expect(await registry.call('GET', '/audit', undefined, each)).toMatchObject({ status: 401, body: { errorCode: 'unauthorized' } });
        const token = { name: 'keeps-the-door-open', role: 'security', expires_at: registry.inADay() };
        expect(statusOf(await registry.call('POST', '/admin-tokens', token, each))).toBe(401);
      }
      for (const path of ['/members', `/clients/${clientId}/members`]) expect(await team(path)).toEqual({ members: [], invitations: 0 });
      await isVoid(toStaff);
      await isVoid(toClient);
    });

    it('leaves other members and their invitations', async () => {
      const colleague = await registry.newPerson();
      const theirs = await registry.member({ roles: ['security'] }, colleague);
      const code = await invited(theirs);
      expect(await erase()).toBe(204);
      expect(await look(theirs)).toBe(200);
      expect(await team('/members')).toEqual({ members: [colleague.subjectId], invitations: 1 });
      await join(code, await registry.newPerson());
    });

    it('that stops after its first event leaves no session and no invitation, and its repetition does the rest', async () => {
      const code = await invited();
      const repaired = failFrom('portalmembers');
      expect(await erase()).toBe(503);
      expect(await look()).toBe(401);
      repaired();
      await isVoid(code);
      // The service repeats it by itself as well. Where that was first, the person is no longer there.
      expect([204, 404]).toContain(await erase());
      expect(await team('/members')).toEqual({ members: [], invitations: 0 });
    });

    it('beside which the person joins in another process leaves no membership', async () => {
      const code = await invited(await registry.member({ roles: ['security'] }));
      beforeNextMember(async () => expect(await erase()).toBe(204));
      await expect(joinElsewhere(code, admin)).rejects.toMatchObject({ code: 'invitation_not_found' });
      expect((await team('/members')).members).not.toContain(admin.subjectId);
    });

    it('beside which the person joins in the same process leaves no membership', async () => {
      const code = await invited(await registry.member({ roles: ['security'] }));
      let erased: Promise<number> | undefined;
      // As a request of its own, not as a part of the join: a work inside of another one on the same stream is an error.
      const onItsOwn = AsyncLocalStorage.snapshot();
      beforeNextMember(() => {
        erased = onItsOwn(erase);
      });
      await join(code, admin).catch((error: unknown) => expect(error).toMatchObject({ code: 'invitation_not_found' }));
      expect(await erased).toBe(204);
      expect((await team('/members')).members).not.toContain(admin.subjectId);
    });
  });

  describe('the revocation of a phone', () => {
    it('ends the sessions begun with it and the invitations made in them, and no other; the membership stays', async () => {
      registry.platform.clock.advance(1);
      const secondPhone = await registry.phoneOf(admin.identityId);
      // A phone that was enrolled after the joining acts in the portal only after a day.
      registry.platform.clock.advance(24 * HOUR);
      session = await registry.session(admin);
      const second = await registry.session({ ...admin, deviceId: secondPhone });
      const [byFirst, bySecond] = [await invited(), await invited(second)];
      expect(await revoke()).toBe(204);
      expect(await look()).toBe(401);
      expect(await look(second)).toBe(200);
      await isVoid(byFirst);
      expect(await team('/members')).toEqual({ members: [admin.subjectId], invitations: 1 });
      await join(bySecond, await registry.newPerson());
    });

    it('that stops before the invitations leaves neither a session nor an invitation that works, and its repetition takes them off the list', async () => {
      const code = await invited();
      const repaired = failFrom('portalmembers');
      expect(await revoke()).toBe(503);
      repaired();
      expect(await look()).toBe(401);
      await isVoid(code);
      expect((await team('/members')).invitations).toBe(1);
      expect(await revoke()).toBe(204);
      expect((await team('/members')).invitations).toBe(0);
    });

    it('voids an invitation that is being used in another process at the same time', async () => {
      const code = await invited();
      beforeNextMember(async () => expect(await revoke()).toBe(204));
      await expect(joinElsewhere(code, await registry.newPerson())).rejects.toMatchObject({ code: 'invitation_not_found' });
      expect((await team('/members')).members).toEqual([admin.subjectId]);
    });

    it('stands for the lock that only a new enrolment ends; other locks end nothing', async () => {
      const { checkPin } = registry.platform.useCases.identity();
      const code = await invited();
      const lock = async (): Promise<void> => {
        for (const pin of ['1', '2', '3'])
          await checkPin.execute({ deviceId: admin.deviceId, sessionId: pin as SessionId, pinProof: sha256Base64url(pin) });
      };
      await lock();
      expect(await look()).toBe(200);
      registry.platform.clock.advance(3 * HOUR);
      await lock();
      registry.platform.clock.advance(24 * HOUR);
      const again = await registry.session(admin);
      expect(await look(again)).toBe(200);
      await lock();
      expect(await look(again)).toBe(401);
      await isVoid(code);
    });
  });

  describe('a request in a session', () => {
    it('costs the same calls of the store however many members there are', async () => {
      const calls = async (): Promise<object> => {
        expect(await look()).toBe(200);
        const { counts } = countStoreCalls(registry.platform.eventStore);
        expect(statusOf(await registry.call('GET', `/clients/${clientId}`, undefined, session))).toBe(200);
        return { ...counts };
      };
      const few = await calls();
      const { portalMembers } = registry.platform.useCases.administration();
      for (let count = 0; count < 60; count += 1) {
        const { code } = await portalMembers.invite('a-post', { clientId, role: 'viewer' }, { id: 'first-start' });
        await portalMembers.join(code.reveal(), { ...admin, subjectId: registry.platform.randomness.uuid() });
      }
      expect(await calls()).toEqual(few);
      // The session, the members, the phone and its person; the client.
      expect(few).toMatchObject({ read: 5, append: 0 });
    });

    it('answers nothing of the phone', async () => {
      const answers = [await registry.call('GET', '/members', undefined, session), await registry.call('GET', '/audit', undefined, session)];
      for (const { text } of answers) expect(text).not.toContain(admin.deviceId);
    });
  });
});
