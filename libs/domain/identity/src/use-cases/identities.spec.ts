import { jest } from '@jest/globals';
import { type Kysely, sql } from 'kysely';

import { type ClientId, type IdentityId, parseId } from '#kernel';
import { history, streamName } from '#engines/event-store';
import { projectionsInMemory } from '#testkit/read-model/projections-in-memory';

import { certificatesEndedBy } from '../read-models/ended-certificates.js';
import { identitiesProjection, type IdentityTables } from '../read-models/identities-projection.js';
import { devicesAfter } from '../read-models/list-devices.js';
import { idsAfter, ListIdentities } from '../read-models/list-identities.js';
import { enrolmentRequest, CERTIFICATE_END, identityFixture, MARI } from '#testkit/identity/identity-fixture';

let identity: ReturnType<typeof identityFixture>;
beforeEach(() => {
  identity = identityFixture();
});
afterEach(() => identity.close());

const allEvents = async () => {
  const events = [];
  for await (const event of history(identity.store, ['identity', 'identitydata', 'person', 'subject', 'inbox', 'device', 'certificate']))
    events.push(event);
  return events;
};

describe('registering a person', () => {
  it('stores the personal data sealed, in one stream only', async () => {
    const identityId = await identity.registerIdentity.execute({ ...MARI, email: 'mari@example.com' });
    expect(await identity.readPersonalData.execute(identityId)).toEqual({ ...MARI, email: 'mari@example.com' });
    const stored = await allEvents();
    expect(stored.map(({ type }) => type)).toEqual(['PersonReserved', 'IdentityRegistered', 'PersonRecorded']);
    expect(JSON.stringify(stored, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value))).not.toMatch(
      /Mari|Maasikas|47101010033|1971/,
    );
  });

  it.each([MARI, { ...MARI, givenName: 'Other' }])('happens once for a country and code: %j', async (second) => {
    await identity.registerIdentity.execute(MARI);
    await expect(identity.registerIdentity.execute(second)).rejects.toMatchObject({ code: 'identity_exists', reason: 'identity is REGISTERED' });
  });

  it('ignores the case of a code and distinguishes countries', async () => {
    await identity.registerIdentity.execute({ ...MARI, personalCode: 'ab1' });
    await expect(identity.registerIdentity.execute({ ...MARI, personalCode: 'AB1' })).rejects.toMatchObject({ code: 'identity_exists' });
    await identity.registerIdentity.execute({ ...MARI, personalCode: 'AB1', country: 'LV' });
  });

  it('succeeds once when many register the same person at the same time', async () => {
    const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => identity.registerIdentity.execute(MARI)));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  it('answers the winner’s data when two register the same person with different data at the same time', async () => {
    const names = ['Mari', 'Maria', 'Marie', 'Mariam'];
    const outcomes = await Promise.allSettled(
      names.map((givenName) =>
        identity
          .replica()
          .registerIdentity.execute({ ...MARI, givenName })
          .then((identityId) => ({ identityId, givenName })),
      ),
    );
    const winners = outcomes.filter((outcome) => outcome.status === 'fulfilled').map(({ value }) => value);
    expect(winners).toHaveLength(1);
    expect(await identity.readPersonalData.execute(winners[0]!.identityId)).toMatchObject({ givenName: winners[0]!.givenName });
  });

  it('never overwrites the record of a registration that came first, however late another one arrives', async () => {
    const { append } = identity.store;
    const late = Promise.withResolvers<void>();
    identity.store.append = async (stream, expected, events, options) => {
      if (events[0]?.type === 'PersonRecorded' && identity.store.append !== append) {
        identity.store.append = append;
        await late.promise;
      }
      return append.call(identity.store, stream, expected, events, options);
    };
    const second = identity.registerIdentity.execute({ ...MARI, givenName: 'Late' });
    while (identity.store.append !== append) await new Promise(setImmediate);
    const other = identity.replica();
    const identityId = await other.registerIdentity.execute(MARI);
    const { activationCode } = await other.issueActivationCode.execute(identityId);
    await other.enrolDevice.execute({ ...enrolmentRequest(), activationCode: activationCode.reveal() });
    late.resolve();
    await expect(second).rejects.toMatchObject({ code: 'identity_exists' });
    expect(await identity.readPersonalData.execute(identityId)).toEqual(MARI);
    expect((await identity.listDevices.execute(identityId, { limit: 10 })).entries).toHaveLength(1);
  });

  it('completes a registration that was interrupted, under the reserved id', async () => {
    const broken = identity.randomness.uuid<IdentityId>();
    const registered = await identity.registerIdentity.execute(MARI);
    const { stream } = (await allEvents())[0]!;
    const reserved = { type: 'PersonReserved', data: { at: 0, identityId: broken } };
    await identity.store.append(stream, 0, [{ type: 'PersonReleased', data: {} }, reserved]);
    expect(await identity.registerIdentity.execute({ ...MARI, givenName: 'Anew' })).toBe(broken);
    expect(await identity.readPersonalData.execute(broken)).toMatchObject({ givenName: 'Anew' });
    expect(registered).not.toBe(broken);
  });

  it('refuses data that breaks a rule, and stores nothing', async () => {
    await expect(identity.registerIdentity.execute({ ...MARI, dateOfBirth: '2026-01-02' })).rejects.toMatchObject({ code: 'invalid_request' });
    expect(await allEvents()).toEqual([]);
  });
});

describe('the list of persons', () => {
  it('answers in pages and does not show erased persons', async () => {
    const ids: IdentityId[] = [];
    for (const personalCode of ['1', '2', '3']) ids.push(await identity.registerIdentity.execute({ ...MARI, personalCode }));
    await identity.eraseIdentity.execute(ids[1]!);
    const projections = projectionsInMemory(identity.store);
    const list = new ListIdentities(projections.follow(identitiesProjection), identity.readPersonalData);
    const first = await list.execute({ limit: 1 });
    expect(first).toEqual({ entries: [{ ...MARI, personalCode: '1', identityId: ids[0] }], next: ids[0] });
    expect(await list.execute({ limit: 1, after: ids[0] })).toEqual({ entries: [{ ...MARI, personalCode: '3', identityId: ids[2] }] });
    expect((await list.execute({ limit: 5, after: ids[1] })).entries).toHaveLength(1);
    await projections.close();
  });

  it('holds ids, times and stages, and reads pages by their indexes', async () => {
    const identityId = await identity.registerIdentity.execute({ ...MARI, email: 'mari@example.com' });
    await identity.linkSubject.execute('7f1d6c7e-0a55-4f43-9d1b-3a6b1f1f0001' as ClientId, identityId);
    const { deviceId } = await identity.enrol(identityId);
    const model = identity.parts.projections.follow(identitiesProjection);
    const [newest] = await identity.store.read(streamName('identity', identityId), { direction: 'backwards', limit: 1 });
    await model.covers(newest!.position);
    const place = expect.any(Number);
    const all = (table: keyof IdentityTables) => model.read((database) => database.selectFrom(table).selectAll().execute());
    expect(await all('identities_v3')).toEqual([{ identity_id: identityId, place, revision: newest!.revision, erased: 0 }]);
    expect(await all('devices_v3')).toEqual([{ device_id: deviceId, identity_id: identityId, place }]);
    expect(await all('subjects_v3')).toEqual([{ subject_id: expect.any(String), identity_id: identityId }]);
    const certificates = [{ serial: expect.stringMatching(/^[0-9a-f]{32}$/), ends_at: CERTIFICATE_END }];
    expect([await all('erasures_v3'), await all('certificates_v3')]).toEqual([[], certificates]);

    await identity.eraseIdentity.execute(identityId);
    const [erasure] = await all('erasures_v3');
    expect(erasure).toMatchObject({ identity_id: identityId, place, erased_at: identity.clock.now() });
    expect(await all('certificates_v3')).toEqual(certificates);

    type Query = { explain: ReturnType<typeof idsAfter | typeof certificatesEndedBy>['explain'] };
    const plan = async (query: (database: Kysely<IdentityTables>) => Query) =>
      (await model.read((database) => query(database).explain<{ detail: string }>(undefined, sql`query plan`))).map(({ detail }) => detail);
    expect(await plan((database) => idsAfter(database, 7, 50))).toEqual([
      'SEARCH identities_v3 USING INDEX identities_v3_list (erased=? AND place>?)',
    ]);
    expect(await plan((database) => devicesAfter(database, identityId, { after: 7, limit: 50 }))).toEqual([
      'SEARCH devices_v3 USING INDEX devices_v3_list (identity_id=? AND place>?)',
    ]);
    expect(await plan((database) => certificatesEndedBy(database, CERTIFICATE_END, 500))).toEqual([
      'SEARCH certificates_v3 USING COVERING INDEX certificates_v3_end (ends_at<?)',
    ]);
  });
});

describe('a subjectId', () => {
  const acme = '7f1d6c7e-0a55-4f43-9d1b-3a6b1f1f0001' as ClientId;
  const ajax = '7f1d6c7e-0a55-4f43-9d1b-3a6b1f1f0002' as ClientId;

  it('resolves to the person for its client, once it is linked', async () => {
    const identityId = await identity.registerIdentity.execute(MARI);
    const derived = identity.subjectIds.of(acme, identityId);
    expect(await identity.resolveSubject.execute(acme, derived)).toBeUndefined();
    expect(await identity.linkSubject.execute(acme, identityId)).toBe(derived);
    expect(await identity.resolveSubject.execute(acme, derived)).toBe(identityId);
    expect(await identity.resolveSubject.execute(ajax, derived)).toBeUndefined();
  });

  it('is linked once, also when many link it at the same time', async () => {
    const identityId = await identity.registerIdentity.execute(MARI);
    await Promise.all(Array.from({ length: 20 }, () => identity.linkSubject.execute(acme, identityId)));
    await identity.linkSubject.execute(acme, identityId);
    expect((await allEvents()).filter(({ type }) => type === 'SubjectLinked')).toHaveLength(1);
  });

  it('is not linked to an unknown or erased person', async () => {
    const unknown = parseId<IdentityId>(identity.randomness.uuid())!;
    await expect(identity.linkSubject.execute(acme, unknown)).rejects.toMatchObject({ code: 'identity_not_found' });
    const stored = await identity.store.read(`subject-${identity.subjectIds.of(acme, unknown)}` as never);
    expect(stored).toEqual([]);
    expect(await identity.resolveSubject.execute(acme, identity.subjectIds.of(acme, unknown))).toBeUndefined();
  });

  it('is released again when the person is erased while it is linked', async () => {
    const identityId = await identity.registerIdentity.execute(MARI);
    const { store } = identity;
    const append = store.append.bind(store);
    jest.spyOn(store, 'append').mockImplementation(async (stream, expected, events) => {
      const isLink = events[0]?.type === 'SubjectLinked';
      if (isLink) await append(streamName('identity', identityId), 0, [{ type: 'IdentityErased', data: { at: identity.clock.now() } }]);
      return append(stream, expected, events);
    });
    await expect(identity.linkSubject.execute(acme, identityId)).rejects.toMatchObject({ code: 'identity_not_found' });
    const stored = await store.read(streamName('subject', identity.subjectIds.of(acme, identityId)));
    expect(stored).toMatchObject([{ type: 'SubjectReleased', data: {} }]);
  });
});
