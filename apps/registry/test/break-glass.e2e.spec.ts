import { UseBreakGlass } from '#domain/administration';
import { USUAL_STORES } from '#testkit/event-store/store-engines';
import { streamName } from '#engines/event-store';
import { testPlatform } from '#testkit/platform/test-platform';

import { type Answer, type PersonHeaders, type PersonWithPhone, registryFixture } from './registry.fixture.js';

const GUARDED = {
  ENVIRONMENT: 'production',
  BASE_URL: 'https://id.example',
  APP_URL: 'https://phone.example',
  PORTAL_URL: 'https://portal.example',
  FOUR_EYES: 'false',
  ANCHOR_DIR: '/mnt/checkpoints',
};
const DAY = 24 * 3_600_000;

describe.each(USUAL_STORES)('over $engine', ({ open }) => {
  let registry: Awaited<ReturnType<typeof registryFixture>>;
  let last: PersonWithPhone;
  let named: PersonWithPhone;
  let clerk: PersonWithPhone;
  let clerks: PersonHeaders;

  beforeEach(async () => {
    registry = await registryFixture(await testPlatform(GUARDED, {}, open));
    [last, named, clerk] = [await registry.newPerson(), await registry.newPerson(), await registry.newPerson()];
    await registry.member({ roles: ['security'] }, last);
    clerks = await registry.member({ roles: ['read'] }, clerk);
    registry.platform.clock.advance(1);
  });
  afterEach(() => registry.close());

  const refusal = ({ status, body }: Answer) => [status, body['errorCode']];
  /** As the command does, on a machine with the keys. */
  const command = (): UseBreakGlass => {
    const { platform } = registry;
    const { breakGlassRequests: requests, portalMembers: members, auditTrail } = platform.useCases.administration();
    const { issueActivationCode: codes } = platform.useCases.phones();
    return new UseBreakGlass({ requests, members, codes, auditTrail, randomness: platform.randomness, now: () => 0 });
  };
  const look = () => registry.platform.useCases.administration().watchBreakGlass.execute();
  const lose = () => registry.platform.useCases.phones().revokeDevice.execute(last.identityId, last.deviceId);
  const shown = async () => (await registry.call('GET', '/break-glass', undefined, clerks)).body['breakGlass'];
  const wait = async (milliseconds = DAY): Promise<void> => {
    registry.platform.clock.advance(milliseconds);
    clerks = await registry.session(clerk);
    await look();
  };
  const rejected = { code: 'break_glass_refused' };

  describe('a break-glass', () => {
    it('is refused while a person with security has a usable phone, also one that waits', async () => {
      await expect(command().ask(named.identityId)).rejects.toMatchObject(rejected);
      await registry.phoneOf(last.identityId);
      await lose();
      await expect(command().ask(named.identityId)).rejects.toMatchObject(rejected);
    });

    it('leads the named person, and no other, to security, after the wait of a running service', async () => {
      await lose();
      await command().ask(named.identityId);
      // No service has seen it yet: the clock does not run.
      registry.platform.clock.advance(10 * DAY);
      await expect(command().use(named.identityId)).rejects.toMatchObject(rejected);
      await wait(1);
      expect(await shown()).toEqual({ status: 'WAITING', identityId: named.identityId, noticedAt: expect.any(Number) });
      // The registry of the test may have seen it a millisecond before this look.
      await wait(DAY - 2);
      await expect(command().use(named.identityId)).rejects.toMatchObject(rejected);
      await wait(2);
      await expect(command().use(clerk.identityId)).rejects.toMatchObject(rejected);
      const { invitation, activationCode } = await command().use(named.identityId);
      await expect(command().use(named.identityId)).rejects.toMatchObject(rejected);

      const { portalMembers } = registry.platform.useCases.administration();
      await expect(portalMembers.join(invitation.code.reveal(), clerk)).rejects.toMatchObject({ code: 'invitation_not_found' });
      const { deviceId } = await registry.enrol(activationCode.reveal());
      await portalMembers.join(invitation.code.reveal(), { ...named, deviceId });
      expect((await registry.call('GET', '/audit', undefined, await registry.session({ ...named, deviceId }))).status).toBe(200);
    });

    it('begins the first start again, until enough persons hold security', async () => {
      const invite = () => registry.call('POST', '/invitations', { label: 'security-desk', roles: ['security'] });
      expect(refusal(await invite())).toEqual([401, 'unauthorized']);
      await lose();
      await command().ask(named.identityId);
      await look();
      await wait();
      const { invitation } = await command().use(named.identityId);
      expect((await invite()).status).toBe(201);
      await registry.platform.useCases.administration().portalMembers.join(invitation.code.reveal(), named);
      expect(refusal(await invite())).toEqual([401, 'unauthorized']);
    });

    it('is on the trail and is told to the phones of the staff, each of which stops it', async () => {
      await lose();
      await command().ask(named.identityId);
      await look();
      const [told] = (await registry.platform.eventStore.read(streamName('breakglass', 'all'))).filter(({ type }) => type === 'BreakGlassTold');
      const { told: requests } = told!.data as { told: { sessionId: string; identityId: string }[] };
      expect(requests.map(({ identityId }) => identityId).toSorted()).toEqual([clerk.identityId, last.identityId].toSorted());
      const { sessionId } = requests.find(({ identityId }) => identityId === clerk.identityId)!;
      // Until the phones are asked again; no page shows a code, so the phone asks for none.
      registry.platform.clock.advance(59 * 60_000);
      await expect(registry.approveWithoutPage(sessionId, clerk.deviceId)).resolves.not.toHaveProperty('verificationCodes');
      await look();
      clerks = await registry.session(clerk);
      expect(await shown()).toBeUndefined();
      await wait(2 * DAY);
      await expect(command().use(named.identityId)).rejects.toMatchObject(rejected);
      const actors = (await registry.data('audit', 'log')).map((data) => (data as { actor: string }).actor);
      expect(actors).toContain('break-glass');
    });

    it('is stopped in the portal by each person of the staff, and by no token and no stranger', async () => {
      await lose();
      await command().ask(named.identityId);
      await look();
      const stranger = await registry.session();
      expect(refusal(await registry.call('DELETE', '/break-glass', undefined, stranger))).toEqual([403, 'forbidden']);
      expect((await registry.call('DELETE', '/break-glass', undefined, clerks)).status).toBe(204);
      expect(refusal(await registry.call('DELETE', '/break-glass', undefined, clerks))).toEqual([409, 'break_glass_refused']);
      await wait(2 * DAY);
      await expect(command().use(named.identityId)).rejects.toMatchObject(rejected);
    });

    it('ends by itself when a person with security can act again', async () => {
      await lose();
      await command().ask(named.identityId);
      await look();
      await registry.phoneOf(last.identityId);
      await look();
      expect(await shown()).toBeUndefined();
    });

    it('names one person: it is not asked for twice at a time', async () => {
      await lose();
      await command().ask(named.identityId);
      await expect(command().ask(clerk.identityId)).rejects.toMatchObject(rejected);
    });
  });
});
