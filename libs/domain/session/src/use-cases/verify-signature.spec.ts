import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';

import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import { verifyDeviceSignature } from '#signatures/asic';
import { signLikePhone, SigningKit } from '#testkit/asic/signing-kit';
import type { Device, ReadSigningCertificate } from '#domain/identity';
import { type SessionId, sha256Base64url } from '#kernel';

import type { Scan } from '../domain/session.js';
import type { SessionTerms } from '../domain/session.events.js';
import { DEVICE } from '#testkit/session/session-history';
import { useCaseFixture } from '#testkit/session/use-case-fixture';
import { VerifySignature } from './verify-signature.js';

const TO_BE_SIGNED = Buffer.from('{"challenge":"c"}');

describe('verifying the signature of a login', () => {
  let fixture: ReturnType<typeof useCaseFixture>;
  let sessionId: SessionId;
  let privateKey: KeyObject;
  let device: Device;

  beforeEach(async () => {
    fixture = useCaseFixture();
    const { history, identityId, clock } = fixture;
    const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    privateKey = pair.privateKey;
    device = { deviceId: DEVICE, identityId, status: 'ACTIVE', authenticationKey: pair.publicKey.export({ format: 'jwk' }) };
    sessionId = await fixture.begin();
    const sealed = history.seal(sessionId, {
      relyingPartyName: 'Shop',
      toBeSigned: TO_BE_SIGNED.toString('base64'),
      signatureAlgorithm: 'ES256',
    });
    await history.append(sessionId, { type: 'SessionScanned', data: { deviceId: DEVICE, identityId, sealed, at: clock.now() } });
  });
  afterEach(() => fixture.eventStore.close());

  const verify = async (signature: string) => {
    const session = await fixture.sessions.get(sessionId);
    if (session.status !== 'SCANNED') throw new Error('the session is scanned');
    const useCase = new VerifySignature({} as ReadSigningCertificate);
    return useCase.execute({ terms: session.terms, scan: session.scan, toBeSigned: TO_BE_SIGNED.toString('base64'), device, signature });
  };
  const signed = (data: Buffer) => sign('sha256', data, { key: privateKey, dsaEncoding: 'ieee-p1363' }).toString('base64');

  it('answers a signature over exactly the bytes of the scan', async () => {
    const signature = signed(TO_BE_SIGNED);
    expect(await verify(signature)).toBe(signature);
  });

  it.each([
    ['not base64', 'not base64', () => 'not base64!'],
    ['over other bytes', 'does not verify', () => signed(Buffer.from('{"challenge":"d"}'))],
    ['of another length', 'does not verify', () => Buffer.alloc(63).toString('base64')],
  ])('refuses a signature that is %s', async (_, reason, signature) => {
    await expect(verify(signature())).rejects.toMatchObject({ code: 'invalid_signature', reason });
  });

  it('refuses a stored signature that is not base64, before it looks for the certificate', async () => {
    const session = await fixture.sessions.get(sessionId);
    if (session.status !== 'SCANNED') throw new Error('the session is scanned');
    const stored = { scan: session.scan, device, toBeSigned: TO_BE_SIGNED.toString('base64'), signature: 'not base64!' };
    const useCase = new VerifySignature({} as ReadSigningCertificate);
    await expect(useCase.checkStored(stored)).rejects.toMatchObject({ code: 'invalid_signature', reason: 'not base64' });
  });
});

describe('verifying the signature of a document', () => {
  let signer: Awaited<ReturnType<SigningKit['signer']>>;
  let other: typeof signer;
  let asked: unknown[];
  beforeAll(async () => {
    const kit = await SigningKit.open();
    [signer, other] = await Promise.all([kit.signer(), kit.signer()]);
  });
  beforeEach(() => {
    asked = [];
  });

  const terms = { signatureType: 'SIGNING' } as SessionTerms;
  const device = { deviceId: DEVICE, identityId: 'person', authenticationKey: {} } as unknown as Device;
  const toBeSigned = TO_BE_SIGNED.toString('base64');
  /** The register answers with the certificate of `found`, whatever was asked for. */
  const verifying = (found = signer, scanned = signer) => {
    const read = async (wanted: object) => (asked.push(wanted), { certificate: found.certificate, chain: [] });
    const useCase = new VerifySignature({ execute: read } as unknown as ReadSigningCertificate);
    const scan = { certificateHash: sha256Base64url(scanned.certificate) } as Scan;
    return {
      confirm: (signature: string) => useCase.execute({ terms, scan, toBeSigned, device, signature }),
      build: (signature: string) => useCase.checkStored({ scan, toBeSigned, device, signature }),
    };
  };
  const signed = (data: Buffer, by = signer) => signLikePhone(data, by.keys).toString('base64');

  it('answers it as it goes into the container, where it is accepted once more', async () => {
    const { confirm, build } = verifying();
    const stored = await confirm(signed(TO_BE_SIGNED));
    await expect(build(stored)).resolves.toBeUndefined();
    const certificateHash = sha256Base64url(signer.certificate);
    expect(asked).toEqual([
      expect.objectContaining({ deviceId: DEVICE, certificateHash }),
      expect.objectContaining({ deviceId: DEVICE, certificateHash }),
    ]);
  });

  it.each([
    ['over other bytes', Buffer.from('other'), () => signer],
    ['by another phone', TO_BE_SIGNED, () => other],
  ])('refuses one %s', async (_, data, by) => {
    const { certificate } = by();
    const refusal = { code: 'invalid_signature', reason: 'does not verify' };
    await expect(verifying().confirm(signed(data, by()))).rejects.toMatchObject(refusal);
    // As an intruder would store it, in the form of the container.
    const stored = verifyDeviceSignature({ toBeSigned: data, certificate, signature: signLikePhone(data, by().keys) });
    await expect(verifying().build(stored!.toString('base64'))).rejects.toMatchObject(refusal);
  });

  it('refuses the right signature of another certificate than the phone had at the scan', async () => {
    const refusal = { code: 'invalid_signature', reason: 'another certificate than at the scan' };
    const { confirm, build } = verifying(other, signer);
    await expect(confirm(signed(TO_BE_SIGNED, other))).rejects.toMatchObject(refusal);
    await expect(build(signed(TO_BE_SIGNED, other))).rejects.toMatchObject(refusal);
  });
});
