import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';

import { beforeEach, describe, expect, it } from '@jest/globals';

import type { Device, ReadSigningCertificate } from '#identity';
import type { SessionId } from '#kernel';

import { DEVICE } from '../testing/session-history.js';
import { useCaseFixture } from '../testing/use-case-fixture.js';
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
