import { jest } from '@jest/globals';

import type { DeviceId, IdentityId } from '#kernel';
import { type StreamName, StreamTombstoned, streamName, UnitOfWork } from '#engines/event-store';
import { projectionsInMemory } from '#testkit/read-model/projections-in-memory';

import { identitiesProjection } from '../read-models/identities-projection.js';
import { Certificates } from '../repositories/certificates.js';
import { CERTIFICATE_END, identityFixture, MARI } from '#testkit/identity/identity-fixture';

let identity: ReturnType<typeof identityFixture>;
let identityId: IdentityId;
let serial: string;
let stream: StreamName;

beforeEach(async () => {
  identity = identityFixture();
  identityId = await identity.registerIdentity.execute(MARI);
  serial = String((await identity.enrol(identityId)).certificate).slice('certificate '.length);
  stream = streamName('certificate', serial);
});
afterEach(async () => {
  jest.restoreAllMocks();
  await identity.close();
});

/** Whether the stream is tombstoned: it then takes no event. */
const isClosed = (name: StreamName): Promise<boolean> =>
  identity.store.append(name, 99, [{ type: 'CertificateIssued', data: {} }]).then(
    () => false,
    (error: unknown) => error instanceof StreamTombstoned,
  );
const setTime = (time: number): void => identity.clock.advance(time - identity.clock.now());
const rowsOf = (projections = identity.parts.projections) =>
  projections.follow(identitiesProjection).read((database) => database.selectFrom('certificates_v3').select('serial').execute());
const issue = (name: string, notAfter: number): Promise<boolean> =>
  new Certificates(new UnitOfWork(identity.store, identity.clock)).issue(name, { at: identity.clock.now(), deviceId: 'd' as DeviceId, notAfter });

describe('the certificate of a living person', () => {
  it('is closed for ever when it has ended, and not before; one that ends later stays', async () => {
    const statusOf = (of: string) => identity.replica().findCertificateStatus.execute(of);
    await issue('later', CERTIFICATE_END + 1);
    const reconciler = identity.erasureReconciler();
    setTime(CERTIFICATE_END - 1);
    await reconciler.reconcile();
    expect(await identity.store.read(stream)).toMatchObject([{ type: 'CertificateIssued' }]);
    expect(await isClosed(stream)).toBe(false);
    expect(await statusOf(serial)).toEqual({ status: 'good' });

    setTime(CERTIFICATE_END);
    await reconciler.reconcile();
    expect(await identity.store.read(stream)).toEqual([]);
    expect(await isClosed(stream)).toBe(true);
    expect(await statusOf(serial)).toEqual({ status: 'unknown' });
    expect(await isClosed(streamName('certificate', 'later'))).toBe(false);
    expect(await rowsOf()).toEqual([{ serial: 'later' }]);
  });

  it('is closed once in many rounds', async () => {
    setTime(CERTIFICATE_END);
    const tombstone = jest.spyOn(identity.store, 'tombstone');
    const reconciler = identity.erasureReconciler();
    for (let round = 0; round < 3; round++) await reconciler.reconcile();
    expect(tombstone.mock.calls).toEqual([[stream]]);
  });

  it('is closed by the next process when the one before ended before the tombstone', async () => {
    setTime(CERTIFICATE_END);
    jest.spyOn(identity.store, 'tombstone').mockRejectedValueOnce(new Error('crash'));
    await expect(identity.erasureReconciler().reconcile()).rejects.toThrow('crash');
    expect(await rowsOf()).toEqual([{ serial }]);
    await identity.replica().erasureReconciler().reconcile();
    expect(await isClosed(stream)).toBe(true);
    expect(await rowsOf()).toEqual([]);
  });

  it('loses its row in the next process when the one before ended between the tombstone and the row', async () => {
    setTime(CERTIFICATE_END);
    jest.spyOn(identity.parts.projections.follow(identitiesProjection), 'remove').mockRejectedValueOnce(new Error('crash'));
    await expect(identity.erasureReconciler().reconcile()).rejects.toThrow('crash');
    expect(await isClosed(stream)).toBe(true);
    expect(await rowsOf()).toEqual([{ serial }]);
    const next = identity.replica().erasureReconciler();
    await next.reconcile();
    expect(await rowsOf()).toEqual([]);
    const tombstone = jest.spyOn(identity.store, 'tombstone');
    await next.reconcile();
    expect(tombstone).not.toHaveBeenCalled();
  });

  it('is closed by a process whose read model is built anew, and is in none that is built later', async () => {
    const anew = projectionsInMemory(identity.store);
    expect(await rowsOf(anew)).toEqual([{ serial }]);
    setTime(CERTIFICATE_END);
    await identity.replica({ projections: anew }).erasureReconciler().reconcile();
    await anew.close();
    expect(await isClosed(stream)).toBe(true);
    const later = projectionsInMemory(identity.store);
    expect(await rowsOf(later)).toEqual([]);
    await later.close();
  });

  it('lets the person be erased after its end', async () => {
    setTime(CERTIFICATE_END);
    await identity.erasureReconciler().reconcile();
    await identity.eraseIdentity.execute(identityId);
    expect(await identity.readPersonalData.execute(identityId)).toBeUndefined();
    expect(await isClosed(stream)).toBe(true);
  });
});

describe('a backlog of certificates that have ended', () => {
  it('is closed in rounds of 500, the earliest end first', async () => {
    for (let count = 0; count < 500; count++) await issue(`ended-${count}`, CERTIFICATE_END - 1);
    setTime(CERTIFICATE_END);
    const reconciler = identity.erasureReconciler();
    await reconciler.reconcile();
    expect(await rowsOf()).toEqual([{ serial }]);
    await reconciler.reconcile();
    expect(await rowsOf()).toEqual([]);
  });
});
