import { type ClientId, type IdentityId, parseId } from '#kernel';
import { EventIds, history, NO_STREAM } from '#event-store';

import { ListIdentities } from '../read-models/list-identities.js';
import { identityFixture, MARI } from '../testing/identity-fixture.js';

let identity: ReturnType<typeof identityFixture>;
beforeEach(() => {
  identity = identityFixture();
});
afterEach(() => identity.store.close());

const allEvents = async () => {
  const events = [];
  for await (const event of history(identity.store, ['identity', 'identitydata', 'person', 'subject', 'inbox', 'device', 'certificate'])) events.push(event);
  return events;
};

describe('registering a person', () => {
  it('keeps the personal data sealed, and in one stream only', async () => {
    const identityId = await identity.registerIdentity.execute({ ...MARI, email: 'mari@example.com' });
    expect(await identity.readPersonalData.execute(identityId)).toEqual({ ...MARI, email: 'mari@example.com' });
    const stored = await allEvents();
    expect(stored.map(({ type }) => type)).toEqual(['PersonReserved', 'PersonRecorded', 'IdentityRegistered']);
    expect(JSON.stringify(stored, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value))).not.toMatch(/Mari|Maasikas|47101010033|1971/);
  });

  it.each([MARI, { ...MARI, givenName: 'Other' }])('happens once for a country and code: %j', async (second) => {
    await identity.registerIdentity.execute(MARI);
    await expect(identity.registerIdentity.execute(second)).rejects.toMatchObject({ code: 'identity_exists', reason: 'identity is REGISTERED' });
  });

  it('takes a code in small letters for the same code, and another country for another person', async () => {
    await identity.registerIdentity.execute({ ...MARI, personalCode: 'ab1' });
    await expect(identity.registerIdentity.execute({ ...MARI, personalCode: 'AB1' })).rejects.toMatchObject({ code: 'identity_exists' });
    await identity.registerIdentity.execute({ ...MARI, personalCode: 'AB1', country: 'LV' });
  });

  it('lets one of many win that register the same person at the same time', async () => {
    const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => identity.registerIdentity.execute(MARI)));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  it('completes a registration that was broken off, under the id that was reserved', async () => {
    const broken = identity.randomness.uuid<IdentityId>();
    const registered = await identity.registerIdentity.execute(MARI);
    const { stream } = (await allEvents())[0]!;
    await identity.store.delete(stream);
    const data = { at: 0, identityId: broken };
    await identity.store.append(stream, NO_STREAM, [{ type: 'PersonReserved', data, id: new EventIds(identity.randomness).next(stream) }]);
    expect(await identity.registerIdentity.execute({ ...MARI, givenName: 'Anew' })).toBe(broken);
    expect(await identity.readPersonalData.execute(broken)).toMatchObject({ givenName: 'Anew' });
    expect(registered).not.toBe(broken);
  });

  it('refuses what breaks a rule and stores nothing', async () => {
    await expect(identity.registerIdentity.execute({ ...MARI, dateOfBirth: '2026-01-02' })).rejects.toMatchObject({ code: 'invalid_request' });
    expect(await allEvents()).toEqual([]);
  });
});

describe('the list of persons', () => {
  it('goes page by page, and no longer shows who was erased', async () => {
    const stopping = new AbortController();
    const ids: IdentityId[] = [];
    for (const personalCode of ['1', '2', '3']) ids.push(await identity.registerIdentity.execute({ ...MARI, personalCode }));
    await identity.eraseIdentity.execute(ids[1]!);
    const list = new ListIdentities(identity.store, identity.readPersonalData, stopping.signal);
    await list.ready;
    const first = await list.execute({ limit: 1 });
    expect(first).toEqual({ entries: [{ ...MARI, personalCode: '1', identityId: ids[0] }], next: ids[0] });
    expect(await list.execute({ limit: 1, after: ids[0] })).toEqual({ entries: [{ ...MARI, personalCode: '3', identityId: ids[2] }] });
    expect((await list.execute({ limit: 5, after: ids[1] })).entries).toHaveLength(1);
    stopping.abort();
  });
});

describe('a subjectId', () => {
  const acme = '7f1d6c7e-0a55-4f43-9d1b-3a6b1f1f0001' as ClientId;
  const ajax = '7f1d6c7e-0a55-4f43-9d1b-3a6b1f1f0002' as ClientId;

  it('leads its client to the person, once it was linked', async () => {
    const identityId = await identity.registerIdentity.execute(MARI);
    const derived = identity.subjectIds.of(acme, identityId);
    expect(await identity.resolveSubject.execute(acme, derived)).toBeUndefined();
    expect(await identity.linkSubject.execute(acme, identityId)).toBe(derived);
    expect(await identity.resolveSubject.execute(acme, derived)).toBe(identityId);
    expect(await identity.resolveSubject.execute(ajax, derived)).toBeUndefined();
  });

  it('is linked once, however often and by however many it is asked for', async () => {
    const identityId = await identity.registerIdentity.execute(MARI);
    await Promise.all(Array.from({ length: 20 }, () => identity.linkSubject.execute(acme, identityId)));
    await identity.linkSubject.execute(acme, identityId);
    expect((await allEvents()).filter(({ type }) => type === 'SubjectLinked')).toHaveLength(1);
  });

  it('is linked to nobody who is unknown or erased', async () => {
    const nobody = parseId<IdentityId>(identity.randomness.uuid())!;
    await expect(identity.linkSubject.execute(acme, nobody)).rejects.toMatchObject({ code: 'identity_not_found' });
    expect(await identity.store.read(`subject-${identity.subjectIds.of(acme, nobody)}` as never)).toEqual([]);
  });
});

describe('the inbox', () => {
  const session = (sessionId: string, expiresAt: number) => ({ sessionId, clientId: 'c', expiresAt }) as never;

  it('shows a pushed session once, until it expires', async () => {
    const identityId = await identity.registerIdentity.execute(MARI);
    const now = identity.clock.now();
    await identity.inbox.push(identityId, session('s1', now + 300_000));
    await identity.inbox.push(identityId, session('s1', now + 300_000));
    await identity.inbox.push(identityId, session('s2', now + 60_000));
    expect(await identity.inbox.pending(identityId)).toEqual([
      { sessionId: 's1', clientId: 'c', expiresAt: now + 300_000, at: now },
      { sessionId: 's2', clientId: 'c', expiresAt: now + 60_000, at: now },
    ]);
    identity.clock.advance(60_000);
    expect(await identity.inbox.pending(identityId)).toMatchObject([{ sessionId: 's1' }]);
    identity.clock.advance(240_000);
    expect(await identity.inbox.pending(identityId)).toEqual([]);
  });

  it('takes many sessions at the same time', async () => {
    const identityId = await identity.registerIdentity.execute(MARI);
    const expiresAt = identity.clock.now() + 300_000;
    await Promise.all(Array.from({ length: 20 }, (_, index) => identity.inbox.push(identityId, session(`s${index}`, expiresAt))));
    expect(await identity.inbox.pending(identityId)).toHaveLength(20);
  });
});
