import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { EventStoreUnavailable } from '#engines/event-store';
import { epochSeconds, type SessionId } from '#kernel';

import { scanFixture, TEXTS } from '#testkit/session/scan-fixture';
import { DEVICE } from '#testkit/session/session-history';

let scans: ReturnType<typeof scanFixture>;
beforeEach(() => {
  scans = scanFixture();
});
afterEach(() => scans.eventStore.close());

describe('the scan of a document', () => {
  const SIGNING = { signatureType: 'SIGNING' } as const;
  beforeEach(() => {
    scans.given.statement = (number, { relyingPartyName }) => ({
      certificateHash: `certificate ${number}`,
      scan: { relyingPartyName, signatureAlgorithm: 'ES384' },
      signing: { toBeSigned: `attributes ${number}`, manifest: 'manifest', signingTime: 5 },
    });
  });
  /** As a process leaves it that ended between the event and the statement. */
  const interrupted = async (): Promise<SessionId> => {
    const { history, identityId, clock } = scans;
    const sessionId = await scans.start(SIGNING, TEXTS);
    const sealed = history.seal(sessionId, { relyingPartyName: 'Shop', signatureAlgorithm: 'ES384' });
    await scans.history.append(sessionId, { type: 'SessionScanned', data: { deviceId: DEVICE, identityId, sealed, at: clock.now() } });
    return sessionId;
  };

  it('answers the manifest and the bytes to sign, not the time in them, and stores which certificate signs', async () => {
    const sessionId = await scans.start(SIGNING, TEXTS);
    expect(await scans.scan(sessionId)).toEqual({
      sessionId,
      signatureType: 'SIGNING',
      expiresAt: epochSeconds(scans.clock.now()) + 120,
      relyingPartyName: 'Shop',
      title: TEXTS.title,
      toBeSigned: 'attributes 1',
      manifest: 'manifest',
      signatureAlgorithm: 'ES384',
    });
    expect(await scans.scanned(sessionId)).toMatchObject([{ certificateHash: 'certificate 1' }]);
    expect((await scans.results.find(sessionId)).statement).toEqual({ toBeSigned: 'attributes 1', manifest: 'manifest', signingTime: 5 });
  });

  it('answers two requests of one phone at the same time alike', async () => {
    const sessionId = await scans.start(SIGNING);
    const [one, other] = await Promise.all([scans.scan(sessionId), scans.scan(sessionId)]);
    expect(other).toEqual(one);
    expect(await scans.scan(sessionId)).toEqual(one);
  });

  it('is made good by a repetition when it was interrupted before the statement was stored', async () => {
    const sessionId = await interrupted();
    expect(await scans.scan(sessionId)).toMatchObject({ toBeSigned: 'attributes 1', title: TEXTS.title });
    expect(await scans.scan(sessionId)).toMatchObject({ toBeSigned: 'attributes 1' });
    expect([scans.seen.prepared.length, scans.seen.watched]).toEqual([1, []]);
  });

  it('has ended when the person was erased meanwhile', async () => {
    const sessionId = await interrupted();
    await scans.results.discard(sessionId);
    await expect(scans.scan(sessionId)).rejects.toMatchObject({ code: 'session_expired', reason: 'the signature was erased' });
  });

  it('is not answered while the statement cannot be stored', async () => {
    const unavailable = new EventStoreUnavailable('the store is unavailable');
    scans.results.prepare = () => Promise.reject(unavailable);
    await expect(scans.scan(await interrupted())).rejects.toBe(unavailable);
  });
});
