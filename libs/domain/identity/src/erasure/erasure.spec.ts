import { jest } from '@jest/globals';

import { type ClientId, type IdentityId, type SessionId } from '#kernel';
import { idOf, NO_STREAM, streamName } from '#engines/event-store';
import { withholdNewest } from '#testkit/event-store/withhold-newest';
import { projectionsInMemory } from '#testkit/read-model/projections-in-memory';

import { CERTIFICATE_END, MARI } from '#testkit/identity/identity-fixture';
import { client, identity, identityId, given, useErasures, serialOf, dataIn, typesIn } from '#testkit/identity/erasure/erasures';

useErasures();

describe('an erasure', () => {
  it('leaves nothing of the person but its own events', async () => {
    const { deviceId, certificate } = await identity.enrol(identityId);
    const subjectId = await identity.linkSubject.execute(client, identityId);
    const push = { sessionId: 's1' as SessionId, clientId: client, expiresAt: identity.clock.now() + 1000 };
    await identity.inbox.push(identityId, push);
    const { activationCode } = await identity.issueActivationCode.execute(identityId);

    await identity.eraseIdentity.execute(identityId);

    expect(await identity.readPersonalData.execute(identityId)).toBeUndefined();
    expect(await identity.resolveSubject.execute(client, subjectId)).toBeUndefined();
    expect(await identity.findDevice.execute(deviceId)).toBeUndefined();
    expect(await identity.hasActiveDevice.execute(identityId)).toBe(false);
    await expect(identity.enrol(identityId, activationCode.reveal())).rejects.toMatchObject({
      code: 'invalid_activation_code',
      reason: 'identity is ERASED',
    });
    await expect(identity.linkSubject.execute(client, identityId)).rejects.toMatchObject({ code: 'identity_not_found' });
    await identity.inbox.push(identityId, push);
    expect(await identity.inbox.pending(identityId)).toEqual([]);
    expect(await typesIn('identitydata', identityId)).toEqual([]);
    expect(await typesIn('subject', subjectId)).toEqual(['SubjectReleased']);
    expect(await typesIn('device', deviceId)).toEqual([]);
    expect(await identity.store.read(streamName('certificate', serialOf(certificate)))).toMatchObject([
      { type: 'CertificateRevoked', data: { at: identity.clock.now(), notAfter: CERTIFICATE_END } },
    ]);
    expect(await dataIn('person')).toEqual([['PersonReleased', {}]]);
    expect((await typesIn('identity', identityId)).slice(-2)).toEqual(['IdentityErased', 'ErasureCompleted']);
  });

  it('releases the subjectId of a client that was registered just before, although subscriptions lag', async () => {
    const newcomer = identity.randomness.uuid<ClientId>();
    await identity.store.append(streamName('client', newcomer), NO_STREAM, [{ type: 'ClientRegistered', data: {} }]);
    const subjectId = await identity.linkSubject.execute(newcomer, identityId);
    withholdNewest(identity.store, 5);
    const projections = projectionsInMemory(identity.store);
    await identity.replica({ projections, eventStore: identity.store }).eraseIdentity.execute(identityId);
    await projections.close();
    expect(await typesIn('subject', subjectId)).toEqual(['SubjectReleased']);
    expect(await identity.resolveSubject.execute(newcomer, subjectId)).toBeUndefined();
  });

  it('lets the person register again under another id', async () => {
    const before = await identity.linkSubject.execute(client, identityId);
    await identity.eraseIdentity.execute(identityId);
    const anew = await identity.registerIdentity.execute(MARI);
    expect(anew).not.toBe(identityId);
    expect(await identity.linkSubject.execute(client, anew)).not.toBe(before);
  });

  it('is refused for an erased and for an unknown person', async () => {
    await identity.eraseIdentity.execute(identityId);
    await expect(identity.eraseIdentity.execute(identityId)).rejects.toMatchObject({ code: 'identity_not_found', reason: 'already erased' });
    await expect(identity.eraseIdentity.execute(identity.randomness.uuid())).rejects.toMatchObject({
      code: 'identity_not_found',
      reason: 'no such identity',
    });
  });

  it('hides the person at once, also when it is interrupted, and resumes when it is repeated', async () => {
    given.failures = 1;
    await expect(identity.eraseIdentity.execute(identityId)).rejects.toThrow('the process ends here');
    expect(await identity.readPersonalData.execute(identityId)).toBeUndefined();
    expect(await typesIn('identitydata', identityId)).toEqual(['PersonRecorded']);
    await identity.eraseIdentity.execute(identityId);
    expect(await typesIn('identitydata', identityId)).toEqual([]);
  });

  it('is finished by the next process when a crash interrupted it', async () => {
    given.failures = 1;
    await expect(identity.eraseIdentity.execute(identityId)).rejects.toThrow('the process ends here');
    const reconciler = identity.replica().erasureReconciler();
    expect(await reconciler.reconcile()).toBe(1);
    expect(await typesIn('identitydata', identityId)).toEqual([]);
    expect(await reconciler.reconcile()).toBe(0);
  });

  it('is finished by the same process, ten seconds after an unavailable store interrupted it', async () => {
    const reconciler = identity.erasureReconciler();
    identity.clock.advance(1);
    given.failures = 1;
    await expect(identity.eraseIdentity.execute(identityId)).rejects.toThrow('the process ends here');
    identity.clock.advance(9_999);
    expect(await reconciler.reconcile()).toBe(0);
    identity.clock.advance(1);
    expect(await reconciler.reconcile()).toBe(1);
    expect((await typesIn('identity', identityId)).at(-1)).toBe('ErasureCompleted');
  });

  it('goes on failing until the cause is gone', async () => {
    given.failures = 2;
    await expect(identity.eraseIdentity.execute(identityId)).rejects.toThrow('the process ends here');
    const reconciler = identity.replica().erasureReconciler();
    await expect(reconciler.reconcile()).rejects.toThrow('the process ends here');
    expect(await reconciler.reconcile()).toBe(1);
  });

  it('erases everything but the subjectIds while the read model is unavailable, and is finished later', async () => {
    const { deviceId } = await identity.enrol(identityId);
    const subjectId = await identity.linkSubject.execute(client, identityId);
    const lost = projectionsInMemory(identity.store);
    const withoutReadModel = identity.replica({ projections: lost });
    await lost.close();
    await expect(withoutReadModel.eraseIdentity.execute(identityId)).rejects.toMatchObject({ code: 'service_unavailable' });
    expect([await typesIn('identitydata', identityId), await typesIn('device', deviceId)]).toEqual([[], []]);
    expect(await identity.resolveSubject.execute(client, subjectId)).toBeUndefined();
    expect((await typesIn('identity', identityId)).at(-1)).toBe('IdentityErased');
    await expect(withoutReadModel.erasureReconciler().reconcile()).rejects.toMatchObject({ code: 'service_unavailable' });

    expect(await identity.replica().erasureReconciler().reconcile()).toBe(1);
    expect(await typesIn('subject', subjectId)).toEqual(['SubjectReleased']);
    expect((await typesIn('identity', identityId)).at(-1)).toBe('ErasureCompleted');
  });

  it('reads nothing but the streams of the person, however many others there are', async () => {
    const readsOf = async (id: IdentityId): Promise<number> => {
      await identity.linkSubject.execute(client, id);
      const read = jest.spyOn(identity.store, 'read');
      await identity.eraseIdentity.execute(id);
      const { length } = read.mock.calls;
      read.mockRestore();
      return length;
    };
    const first = await readsOf(identityId);
    // The subscription of the read model, which the first erasure has waited for, goes on.
    const subscribe = jest.spyOn(identity.store, 'subscribe');
    for (let number = 0; number < 50; number++) {
      const id = await identity.registerIdentity.execute({ ...MARI, personalCode: `${number}` });
      await identity.linkSubject.execute(identity.randomness.uuid<ClientId>(), id);
    }
    expect(await readsOf(await identity.registerIdentity.execute(MARI))).toBe(first);
    expect(subscribe).not.toHaveBeenCalled();
  });

  it('finishes a truncation that a crash left out', async () => {
    const subjectId = await identity.linkSubject.execute(client, identityId);
    const { truncateBefore } = identity.store;
    let crashes = 1;
    identity.store.truncateBefore = (stream, revision) =>
      crashes-- > 0 ? Promise.reject(new Error('crash')) : truncateBefore.call(identity.store, stream, revision);
    await expect(identity.eraseIdentity.execute(identityId)).rejects.toThrow('crash');
    expect(await dataIn('person')).toMatchObject([
      ['PersonReserved', { identityId }],
      ['PersonReleased', {}],
    ]);
    crashes = 1;
    await expect(identity.eraseIdentity.execute(identityId)).rejects.toThrow('crash');
    await identity.eraseIdentity.execute(identityId);
    expect(await dataIn('person')).toEqual([['PersonReleased', {}]]);
    expect(await typesIn('subject', subjectId)).toEqual(['SubjectReleased']);
  });

  it('erases the sessions later and once, and ends what concurrent requests have stored', async () => {
    await identity.eraseIdentity.execute(identityId);
    const stream = streamName('subject', identity.subjectIds.of(client, identityId));
    await identity.store.append(stream, NO_STREAM, [{ type: 'SubjectLinked', data: { at: 0, clientId: client, identityId } }]);
    const reconciler = identity.erasureReconciler();
    await reconciler.reconcile();
    expect((await typesIn('identity', identityId)).at(-1)).toBe('ErasureCompleted');
    expect(given.late).toEqual([]);
    given.withoutSessions = [identityId];
    await reconciler.reconcile();
    await identity.erasureReconciler().reconcile();
    expect((await typesIn('identity', identityId)).slice(-2)).toEqual(['ErasureCompleted', 'SessionsErased']);
    expect((await identity.store.read(stream)).map(({ type }) => type)).toEqual(['SubjectReleased']);
    expect(given.late).toContain(identityId);
  });

  it('does not touch the new identity when it is repeated after a new registration', async () => {
    given.failures = 1;
    await expect(identity.eraseIdentity.execute(identityId)).rejects.toThrow('the process ends here');
    await expect(identity.registerIdentity.execute(MARI)).rejects.toMatchObject({ code: 'identity_exists' });
    await identity.eraseIdentity.execute(identityId);
    const anew = await identity.registerIdentity.execute(MARI);
    await identity.replica().erasureReconciler().reconcile();
    expect(await identity.readPersonalData.execute(anew)).toEqual(MARI);
    await expect(identity.registerIdentity.execute(MARI)).rejects.toMatchObject({ code: 'identity_exists' });
  });

  it('happens once when it is requested many times at once', async () => {
    const outcomes = await Promise.allSettled(Array.from({ length: 10 }, () => identity.eraseIdentity.execute(identityId)));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect((await typesIn('identity', identityId)).filter((type) => type === 'IdentityErased')).toHaveLength(1);
  });

  it('wins over an enrolment that waits for its certificate', async () => {
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

  it.each(['DeviceEnrolled', 'CertificateIssued', 'DeviceAdded'])('leaves no device of an enrolment that was about to append %s', async (type) => {
    const code = (await identity.issueActivationCode.execute(identityId)).activationCode.reveal();
    const { append } = identity.store;
    let deviceId: string | undefined;
    identity.store.append = async (stream, expected, events, options) => {
      if (stream.startsWith('device-')) deviceId = idOf(stream);
      if (events[0]?.type === type && identity.store.append !== append) {
        identity.store.append = append;
        await identity.replica().eraseIdentity.execute(identityId);
      }
      return append.call(identity.store, stream, expected, events, options);
    };
    await expect(identity.enrol(identityId, code)).rejects.toMatchObject({ code: 'invalid_activation_code' });
    expect(await typesIn('device', deviceId ?? '')).toEqual([]);
    expect((await dataIn('certificate')).map(([name]) => name)).toEqual(['CertificateRevoked']);
    expect(await dataIn('device')).toEqual([]);
  });
});
