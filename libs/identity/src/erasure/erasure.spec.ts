import { jest } from '@jest/globals';

import { type ClientId, type IdentityId, ServiceUnavailable, type SessionId } from '#kernel';
import { history, idOf, NO_STREAM, type StreamName, streamName, StreamTombstoned } from '#event-store';
import { withholdNewest } from '#event-store/testing';
import { projectionsInMemory } from '#read-model/testing';

import { Certificates } from '../repositories/certificates.js';
import { CERTIFICATE_END, identityFixture, MARI } from '../testing/identity-fixture.js';

const client = '7f1d6c7e-0a55-4f43-9d1b-3a6b1f1f0001' as ClientId;

let identity: ReturnType<typeof identityFixture>;
let identityId: IdentityId;
/** How often the further step still fails. */
let failures = 0;
/** The persons whose sessions are erased. */
let withoutSessions: IdentityId[] = [];

beforeEach(async () => {
  failures = 0;
  withoutSessions = [];
  const interrupt = async () => {
    if (failures-- > 0) throw new Error('the process ends here');
  };
  identity = identityFixture(':memory:', { steps: [interrupt], sessions: async () => new Set(withoutSessions) });
  await registerClient();
  identityId = await identity.registerIdentity.execute(MARI);
});
afterEach(() => identity.close());

const registerClient = async () => {
  const stream = streamName('client', client);
  await identity.store.append(stream, NO_STREAM, [{ type: 'ClientRegistered', data: {} }]);
};
const serialOf = (certificate: Buffer): string => String(certificate).slice('certificate '.length);
/** Type and data of every event that reads of the category's streams show. */
const dataIn = async (category: string): Promise<(readonly [string, unknown])[]> => {
  const streams = new Set<StreamName>();
  for await (const { stream } of history(identity.store, [category])) streams.add(stream);
  const events = await Promise.all([...streams].map((stream) => identity.store.read(stream)));
  return events.flat().map(({ type, data }) => [type, data] as const);
};
const typesIn = async (category: string, id: string) => (await identity.store.read(streamName(category, id))).map(({ type }) => type);

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
    failures = 1;
    await expect(identity.eraseIdentity.execute(identityId)).rejects.toThrow('the process ends here');
    expect(await identity.readPersonalData.execute(identityId)).toBeUndefined();
    expect(await typesIn('identitydata', identityId)).toEqual(['PersonRecorded']);
    await identity.eraseIdentity.execute(identityId);
    expect(await typesIn('identitydata', identityId)).toEqual([]);
  });

  it('is finished by the next process when a crash interrupted it', async () => {
    failures = 1;
    await expect(identity.eraseIdentity.execute(identityId)).rejects.toThrow('the process ends here');
    const reconciler = identity.replica().erasureReconciler();
    expect(await reconciler.reconcile()).toBe(1);
    expect(await typesIn('identitydata', identityId)).toEqual([]);
    expect(await reconciler.reconcile()).toBe(0);
  });

  it('is finished by the same process, ten seconds after an unavailable store interrupted it', async () => {
    const reconciler = identity.erasureReconciler();
    identity.clock.advance(1);
    failures = 1;
    await expect(identity.eraseIdentity.execute(identityId)).rejects.toThrow('the process ends here');
    identity.clock.advance(9_999);
    expect(await reconciler.reconcile()).toBe(0);
    identity.clock.advance(1);
    expect(await reconciler.reconcile()).toBe(1);
    expect((await typesIn('identity', identityId)).at(-1)).toBe('ErasureCompleted');
  });

  it('goes on failing until the cause is gone', async () => {
    failures = 2;
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
    const subscribe = jest.spyOn(identity.store, 'subscribe');
    const readsOf = async (id: IdentityId): Promise<number> => {
      await identity.linkSubject.execute(client, id);
      const read = jest.spyOn(identity.store, 'read');
      await identity.eraseIdentity.execute(id);
      const { length } = read.mock.calls;
      read.mockRestore();
      return length;
    };
    const first = await readsOf(identityId);
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

  it('erases the sessions later and once, and releases the links of concurrent token exchanges', async () => {
    await identity.eraseIdentity.execute(identityId);
    const stream = streamName('subject', identity.subjectIds.of(client, identityId));
    await identity.store.append(stream, NO_STREAM, [{ type: 'SubjectLinked', data: { at: 0, clientId: client, identityId } }]);
    const reconciler = identity.erasureReconciler();
    await reconciler.reconcile();
    expect((await typesIn('identity', identityId)).at(-1)).toBe('ErasureCompleted');
    withoutSessions = [identityId];
    await reconciler.reconcile();
    await identity.erasureReconciler().reconcile();
    expect((await typesIn('identity', identityId)).slice(-2)).toEqual(['ErasureCompleted', 'SessionsErased']);
    expect((await identity.store.read(stream)).map(({ type }) => type)).toEqual(['SubjectReleased']);
  });

  it('does not touch the new identity when it is repeated after a new registration', async () => {
    failures = 1;
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

describe('the certificate of an erased person', () => {
  let stream: StreamName;
  /** Whether the stream takes an event: it does unless it is tombstoned. */
  const isClosed = async (): Promise<boolean> => {
    const append = identity.store.append(stream, 99, [{ type: 'CertificateIssued', data: {} }]);
    return append.then(
      () => false,
      (error: unknown) => error instanceof StreamTombstoned,
    );
  };

  beforeEach(async () => {
    stream = streamName('certificate', serialOf((await identity.enrol(identityId)).certificate));
    await identity.eraseIdentity.execute(identityId);
  });

  it('keeps its revocation until its end, and is then closed for ever', async () => {
    const reconciler = identity.erasureReconciler();
    identity.clock.advance(CERTIFICATE_END - identity.clock.now() - 1);
    await reconciler.reconcile();
    expect((await identity.store.read(stream)).map(({ type }) => type)).toEqual(['CertificateRevoked']);
    expect(await isClosed()).toBe(false);
    identity.clock.advance(1);
    await reconciler.reconcile();
    expect(await isClosed()).toBe(true);
  });

  it('is closed by the next process when the one before ended first, and only once', async () => {
    identity.clock.advance(CERTIFICATE_END - identity.clock.now());
    const { tombstone } = identity.store;
    identity.store.tombstone = () => Promise.reject(new Error('crash'));
    await expect(identity.erasureReconciler().reconcile()).rejects.toThrow('crash');
    identity.store.tombstone = tombstone;
    const next = identity.replica().erasureReconciler();
    const closed = jest.spyOn(identity.store, 'tombstone');
    for (let round = 0; round < 3; round++) await next.reconcile();
    expect(await isClosed()).toBe(true);
    expect(closed.mock.calls.filter(([name]) => name === stream)).toHaveLength(1);
  });

  it('lets the erasure be repeated after its end', async () => {
    identity.clock.advance(CERTIFICATE_END - identity.clock.now());
    await identity.erasureReconciler().reconcile();
    await expect(new Certificates(identity.store, identity.clock).revoke(idOf(stream), 1, CERTIFICATE_END)).resolves.toBeUndefined();
  });
});

describe('the list of erasures', () => {
  const person = () => ({ ...MARI, personalCode: String(identity.randomness.bytes(5).readUIntBE(0, 5)).padStart(11, '4').slice(-11) });
  const erased = async (): Promise<IdentityId> => {
    const id = await identity.registerIdentity.execute(person());
    await identity.eraseIdentity.execute(id);
    identity.clock.advance(1);
    return id;
  };

  it('names a person before the erasure is complete', async () => {
    const at = identity.clock.now();
    failures = 1;
    await expect(identity.eraseIdentity.execute(identityId)).rejects.toThrow('the process ends here');
    expect(await identity.erasureList.all()).toEqual(new Map([[identityId, at]]));
  });

  it('keeps an erasure open while it is unavailable', async () => {
    const { add } = identity.erasureList;
    identity.erasureList.add = () => Promise.reject(new ServiceUnavailable('the list is unavailable'));
    await expect(identity.eraseIdentity.execute(identityId)).rejects.toBeInstanceOf(ServiceUnavailable);
    expect(await identity.readPersonalData.execute(identityId)).toBeUndefined();
    expect((await typesIn('identity', identityId)).at(-1)).toBe('IdentityErased');
    identity.erasureList.add = add;
    expect(await identity.replica().erasureReconciler().reconcile()).toBe(1);
    expect((await identity.erasureList.all()).has(identityId)).toBe(true);
  });

  it('erases persons again, once, when a restored store shows them', async () => {
    await identity.enrol(identityId);
    await identity.erasureList.add(identityId, 1_000);
    await identity.erasureList.add(identity.randomness.uuid<IdentityId>(), 2_000); // registered after the copy was made
    const reconciler = identity.erasureReconciler();
    expect(await reconciler.reapply()).toBe(1);
    expect(await typesIn('identitydata', identityId)).toEqual([]);
    expect((await typesIn('identity', identityId)).slice(-2)).toEqual(['IdentityErased', 'ErasureCompleted']);
    expect(await reconciler.reapply()).toBe(0);
  });

  it('is completed with the erasures that the store tells', async () => {
    await identity.eraseIdentity.execute(identityId);
    identity.erasureList.entries.clear();
    await identity.erasureReconciler().reapply();
    expect([...identity.erasureList.entries.keys()]).toEqual([identityId]);
  });

  it('is compared with the read model at first: the streams of twenty persons are read, and of those that it lacks', async () => {
    for (let count = 0; count < 45; count++) await erased();
    await identity.erasureList.add(identityId, 1_000); // older than all
    const read = jest.spyOn(identity.store, 'read');
    const first = identity.erasureReconciler();
    expect(await first.reapply()).toBe(1);
    expect(await typesIn('identitydata', identityId)).toEqual([]);
    read.mockClear();
    expect(await identity.erasureReconciler().reapply()).toBe(0);
    expect(read).toHaveBeenCalledTimes(20);
  });

  it('is applied from the oldest person to the newest, so that the newest still tell of a restoration after a crash', async () => {
    const persons = [identityId, await identity.registerIdentity.execute(person()), await identity.registerIdentity.execute(person())] as const;
    for (const [index, id] of persons.entries()) await identity.erasureList.add(id, identity.clock.now() + index);
    failures = 1;
    await expect(identity.erasureReconciler().reapply()).rejects.toThrow('the process ends here');
    const last = async (id: IdentityId) => (await typesIn('identity', id)).at(-1);
    expect(await Promise.all(persons.map(last))).toEqual(['IdentityErased', 'IdentityRegistered', 'IdentityRegistered']);
    expect(await identity.erasureReconciler().reapply()).toBe(2);
  });

  it('is checked completely at first, and later as far as a store that was restored meanwhile may lack it', async () => {
    await identity.erasureList.add(identityId, 1_000);
    for (let count = 0; count < 30; count++) await erased();
    const reconciler = identity.erasureReconciler();
    expect(await reconciler.reapply()).toBe(1);

    const read = jest.spyOn(identity.store, 'read');
    const back = await identity.registerIdentity.execute(person());
    await identity.erasureList.add(back, identity.clock.now());
    expect(await reconciler.reapply()).toBe(1);
    expect(await typesIn('identitydata', back)).toEqual([]);
    read.mockClear();
    expect(await reconciler.reapply()).toBe(0);
    expect(read).toHaveBeenCalledTimes(20);
  });
});
