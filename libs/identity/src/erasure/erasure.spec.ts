import { type ClientId, type IdentityId, type SessionId } from '#kernel';
import { EventIds, NO_STREAM, streamName } from '#event-store';

import { identityFixture, MARI } from '../testing/identity-fixture.js';

const client = '7f1d6c7e-0a55-4f43-9d1b-3a6b1f1f0001' as ClientId;

let identity: ReturnType<typeof identityFixture>;
let identityId: IdentityId;
/** A further step that fails as often as this says. */
let failures = 0;

beforeEach(async () => {
  failures = 0;
  identity = identityFixture(':memory:', [
    async () => {
      if (failures-- > 0) throw new Error('the process ends here');
    },
  ]);
  await registerClient();
  identityId = await identity.registerIdentity.execute(MARI);
});
afterEach(() => identity.store.close());

const registerClient = async () => {
  const stream = streamName('client', client);
  await identity.store.append(stream, NO_STREAM, [{ type: 'ClientRegistered', data: {}, id: new EventIds(identity.randomness).next(stream) }]);
};
const typesIn = async (category: string, id: string) => (await identity.store.read(streamName(category, id))).map(({ type }) => type);

describe('an erasure', () => {
  it('leaves nothing of the person but the fact', async () => {
    const { deviceId } = await identity.enrol(identityId);
    const subjectId = await identity.linkSubject.execute(client, identityId);
    const push = { sessionId: 's1' as SessionId, clientId: client, expiresAt: identity.clock.now() + 1000 };
    await identity.inbox.push(identityId, push);
    const { activationCode } = await identity.issueActivationCode.execute(identityId);

    await identity.eraseIdentity.execute(identityId);

    expect(await identity.readPersonalData.execute(identityId)).toBeUndefined();
    expect(await identity.resolveSubject.execute(client, subjectId)).toBeUndefined();
    expect(await identity.findDevice.execute(deviceId)).toMatchObject({ status: 'REVOKED' });
    expect(await identity.hasActiveDevice.execute(identityId)).toBe(false);
    await expect(identity.enrol(identityId, activationCode.reveal())).rejects.toMatchObject({ code: 'invalid_activation_code', reason: 'identity is ERASED' });
    await expect(identity.linkSubject.execute(client, identityId)).rejects.toMatchObject({ code: 'identity_not_found' });
    await identity.inbox.push(identityId, push);
    expect(await identity.inbox.pending(identityId)).toEqual([]);
    expect(await typesIn('identitydata', identityId)).toEqual([]);
    expect(await typesIn('subject', subjectId)).toEqual([]);
    expect((await typesIn('identity', identityId)).slice(-2)).toEqual(['IdentityErased', 'ErasureCompleted']);
  });

  it('lets the person come back as a new one', async () => {
    const before = await identity.linkSubject.execute(client, identityId);
    await identity.eraseIdentity.execute(identityId);
    const anew = await identity.registerIdentity.execute(MARI);
    expect(anew).not.toBe(identityId);
    expect(await identity.linkSubject.execute(client, anew)).not.toBe(before);
  });

  it('finds nobody the second time, and nobody unknown', async () => {
    await identity.eraseIdentity.execute(identityId);
    await expect(identity.eraseIdentity.execute(identityId)).rejects.toMatchObject({ code: 'identity_not_found', reason: 'already erased' });
    await expect(identity.eraseIdentity.execute(identity.randomness.uuid())).rejects.toMatchObject({ code: 'identity_not_found', reason: 'no such identity' });
  });

  it('hides the person at once, even when it breaks off, and is taken up by asking again', async () => {
    failures = 1;
    await expect(identity.eraseIdentity.execute(identityId)).rejects.toThrow('the process ends here');
    expect(await identity.readPersonalData.execute(identityId)).toBeUndefined();
    expect(await typesIn('identitydata', identityId)).toEqual(['PersonRecorded']);
    await identity.eraseIdentity.execute(identityId);
    expect(await typesIn('identitydata', identityId)).toEqual([]);
  });

  it('that a crash broke off is taken up at the next start', async () => {
    failures = 1;
    await expect(identity.eraseIdentity.execute(identityId)).rejects.toThrow();
    const restarted = identity.replica();
    expect(await restarted.resumeErasures.execute()).toBe(1);
    expect(await typesIn('identitydata', identityId)).toEqual([]);
    expect(await restarted.resumeErasures.execute()).toBe(0);
  });

  it('repeated after the person came back does not touch the new one', async () => {
    failures = 1;
    await expect(identity.eraseIdentity.execute(identityId)).rejects.toThrow();
    await expect(identity.registerIdentity.execute(MARI)).rejects.toMatchObject({ code: 'identity_exists' });
    await identity.eraseIdentity.execute(identityId);
    const anew = await identity.registerIdentity.execute(MARI);
    await identity.replica().resumeErasures.execute();
    expect(await identity.readPersonalData.execute(anew)).toEqual(MARI);
    await expect(identity.registerIdentity.execute(MARI)).rejects.toMatchObject({ code: 'identity_exists' });
  });

  it('made many times at once is made once', async () => {
    const outcomes = await Promise.allSettled(Array.from({ length: 10 }, () => identity.eraseIdentity.execute(identityId)));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect((await typesIn('identity', identityId)).filter((type) => type === 'IdentityErased')).toHaveLength(1);
  });

  it('wins over an enrolment that is under way', async () => {
    const code = (await identity.issueActivationCode.execute(identityId)).activationCode.reveal();
    const authority = identity.certificateAuthority;
    const { issue } = authority;
    authority.issue = async () => {
      await identity.replica().eraseIdentity.execute(identityId);
      return issue.call(authority);
    };
    await expect(identity.enrol(identityId, code)).rejects.toMatchObject({ code: 'invalid_activation_code', reason: 'erased meanwhile' });
    expect(await typesIn('identitydata', identityId)).toEqual([]);
  });
});
