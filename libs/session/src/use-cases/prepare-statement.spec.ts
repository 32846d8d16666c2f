import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { beforeAll, describe, expect, it } from '@jest/globals';

import type { Device, ReadSigningCertificate } from '#identity';
import { FixedClock, type SessionId, SystemRandomness } from '#kernel';
import { Certificate, DevelopmentCertificateAuthority, openDevelopmentPki } from '#pki';
import { signingRequest } from '#pki/testing';

import type { SessionTerms } from '../domain/session.events.js';
import { PrepareStatement, type StatementInput } from './prepare-statement.js';

const NOW = Date.UTC(2026, 5, 1, 12);
const clock = new FixedClock(NOW);
const randomness = new SystemRandomness();

let certificate: Buffer;
beforeAll(async () => {
  const keyDirectory = await mkdtemp(join(tmpdir(), 'statement-'));
  const pki = await openDevelopmentPki({ keyDirectory, baseUrl: 'http://localhost:3000', guarded: false, clock, randomness });
  await rm(keyDirectory, { recursive: true });
  const holder = { givenName: 'Mari', familyName: 'Männik', personalCode: '47101010033', country: 'EE' };
  const csr = signingRequest(generateKeyPairSync('ec', { namedCurve: 'prime256v1' }));
  ({ certificate } = await new DevelopmentCertificateAuthority(pki, clock, randomness).issue({ csr, holder }));
});

const prepareAt = (at: number) => {
  const read = { execute: async () => ({ certificate, chain: [] }) } as unknown as ReadSigningCertificate;
  const input: StatementInput = {
    sessionId: '00000000-0000-4000-8000-000000000001' as SessionId,
    terms: { signatureType: 'SIGNING' } as SessionTerms,
    texts: { signedDataHash: 'ab'.repeat(64), signedDataName: 'contract.pdf' },
    relyingPartyName: 'Notary',
    device: {} as Device,
  };
  return new PrepareStatement(read, new FixedClock(at), randomness).execute(input);
};

describe('the statement of a signature', () => {
  it('is prepared until the last second of the certificate', async () => {
    const { notAfter } = Certificate.parse(certificate);
    expect((await prepareAt(notAfter)).signing?.signingTime).toBe(notAfter);
  });

  it('is refused after the end of the certificate, with the remedy', async () => {
    const { notAfter } = Certificate.parse(certificate);
    await expect(prepareAt(notAfter + 1000)).rejects.toMatchObject({
      code: 'invalid_request',
      detail: "This phone's signing certificate has ended. Enrol the phone again.",
    });
  });

  it('is refused before the beginning of the certificate', async () => {
    await expect(prepareAt(Certificate.parse(certificate).notBefore - 1000)).rejects.toThrow('certificate not valid yet');
  });
});
