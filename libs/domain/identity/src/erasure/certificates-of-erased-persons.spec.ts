import { jest } from '@jest/globals';

import { idOf, type StreamName, streamName, StreamTombstoned, UnitOfWork } from '#engines/event-store';

import { Certificates } from '../repositories/certificates.js';
import { CERTIFICATE_END } from '#testkit/identity/identity-fixture';
import { identity, identityId, useErasures, serialOf } from '#testkit/identity/erasure/erasures';

useErasures();

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
    await expect(new Certificates(new UnitOfWork(identity.store, identity.clock)).revoke(idOf(stream), 1, CERTIFICATE_END)).resolves.toBeUndefined();
  });
});
