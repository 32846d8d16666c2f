import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { beforeAll, describe, expect, it } from '@jest/globals';

import type { Device, ReadSigningCertificate } from '#domain/identity';
import { ServiceUnavailable, type SessionId, SystemRandomness } from '#kernel';
import { FixedClock } from '#testkit/kernel/fixed-clock';
import { Certificate, DevelopmentCertificateAuthority, openDevelopmentPki, type RevocationEvidence, type RevocationStatus } from '#signatures/pki';
import { signingRequest } from '#testkit/pki/signing-requests';

import type { SessionTerms } from '../domain/session.events.js';
import { CheckSigner, type WaitLimit } from './check-signer.js';
import { PrepareStatement, type StatementInput } from './prepare-statement.js';

const NOW = Date.UTC(2026, 5, 1, 12);
const LIFETIME = 120_000;
const clock = new FixedClock(NOW);
const randomness = new SystemRandomness();

let certificate: Buffer;
let chain: readonly Buffer[];
beforeAll(async () => {
  const keyDirectory = await mkdtemp(join(tmpdir(), 'statement-'));
  const pki = await openDevelopmentPki({ keyDirectory, baseUrl: 'http://localhost:3000', guarded: false, clock, randomness });
  await rm(keyDirectory, { recursive: true });
  const holder = { givenName: 'Mari', familyName: 'Männik', personalCode: '47101010033', country: 'EE' };
  const csr = signingRequest(generateKeyPairSync('ec', { namedCurve: 'prime256v1' }));
  ({ certificate, chain } = await new DevelopmentCertificateAuthority(pki, clock, randomness).issue({ csr, holder }));
});

const answering = (status: RevocationStatus) => async () => ({ status }) as RevocationEvidence;
const neverLate: WaitLimit = () => new Promise(() => undefined);

const prepareAt = (at: number, ask: () => Promise<RevocationEvidence> = answering('good'), waitLimit = neverLate) => {
  const read = { execute: async () => ({ certificate, chain }) } as unknown as ReadSigningCertificate;
  const input: StatementInput = {
    sessionId: '00000000-0000-4000-8000-000000000001' as SessionId,
    terms: { signatureType: 'SIGNING', expiresAt: at + LIFETIME } as SessionTerms,
    texts: { signedDataHash: 'ab'.repeat(64), signedDataName: 'contract.pdf' },
    relyingPartyName: 'Notary',
    device: {} as Device,
  };
  return new PrepareStatement(read, new CheckSigner({ ask }, waitLimit), new FixedClock(at), randomness).execute(input);
};

const refusal = (fault: string, reason: string) => ({
  code: 'invalid_request',
  reason,
  detail: `This phone's signing certificate ${fault}. Enrol the phone again.`,
  payload: { remedy: 'ENROL_AGAIN' },
});

describe('the statement of a signature', () => {
  it('is prepared as long as the certificate lasts for the whole session', async () => {
    const { notAfter } = Certificate.parse(certificate);
    expect((await prepareAt(notAfter - LIFETIME)).signing?.signingTime).toBe(notAfter - LIFETIME);
    await expect(prepareAt(notAfter - LIFETIME + 1000)).rejects.toMatchObject(
      refusal('ends before this signature could be made', 'certificate ends in the session'),
    );
  });

  it('is refused after the end of the certificate, with the remedy', async () => {
    const { notAfter } = Certificate.parse(certificate);
    await expect(prepareAt(notAfter + 1000)).rejects.toMatchObject(refusal('has ended', 'certificate ended'));
    // In its last millisecond the certificate is valid, and too short for a session.
    await expect(prepareAt(notAfter)).rejects.toMatchObject(refusal('ends before this signature could be made', 'certificate ends in the session'));
  });

  it('is refused before the beginning of the certificate', async () => {
    const { notBefore } = Certificate.parse(certificate);
    await expect(prepareAt(notBefore - 1000)).rejects.toMatchObject({
      reason: 'certificate not valid yet',
      detail: "This phone's signing certificate is not valid yet. Try again later.",
    });
    expect((await prepareAt(notBefore)).signing).toBeDefined();
  });

  it('is refused for a revoked certificate, with the remedy', async () => {
    await expect(prepareAt(NOW, answering('revoked'))).rejects.toMatchObject(refusal('has been revoked', 'certificate revoked'));
  });

  it('is prepared while the authority gives no answer, or does not know a new certificate yet', async () => {
    const unavailable = () => Promise.reject(new ServiceUnavailable('no usable answer'));
    for (const ask of [unavailable, answering('unknown')]) expect((await prepareAt(NOW, ask)).signing).toBeDefined();
  });

  it('is prepared where no authority is asked about revocation', async () => {
    await expect(new CheckSigner(undefined).execute({ certificate, chain }, { from: NOW, until: NOW + LIFETIME })).resolves.toBeUndefined();
  });

  it('stops the wait for the authority once it has answered', async () => {
    let wait: AbortSignal | undefined;
    await prepareAt(NOW, answering('good'), (signal) => ((wait = signal), new Promise(() => undefined)));
    expect(wait?.aborted).toBe(true);
  });

  it('waits no longer for the authority than a person would', async () => {
    const silent = () => new Promise<RevocationEvidence>(() => undefined);
    expect((await prepareAt(NOW, silent, async () => undefined)).signing).toBeDefined();
  });
});
