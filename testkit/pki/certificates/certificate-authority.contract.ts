import { expect, it } from '@jest/globals';

import { InvalidRequest } from '#kernel';

import { OID } from '#signatures/pki';
import { newKey, signingRequest, spkiOf } from '../signing-requests.js';
import { Certificate } from '#signatures/pki';
import type { CertificateAuthority } from '#signatures/pki';
import type { TrustStore } from '#signatures/pki';

export interface CertificateAuthorityUnderTest {
  readonly authority: CertificateAuthority;
  readonly trust: TrustStore;
  readonly now: number;
  /** The key usage of the certificates that it issues. By default for documents alone (EN 319 412-2 §4.3.2, type A). */
  readonly keyUsage?: readonly string[];
}

const HOLDER = { givenName: 'Mari-Liis', familyName: 'Männik', personalCode: '47101010033', country: 'EE' };

/** Every certificate authority behaves like this. */
export const certificateAuthorityContract = (open: () => CertificateAuthorityUnderTest): void => {
  it.each(['P-256', 'P-384', 'RSA'] as const)('certifies a %s key in the name of its holder, for documents, under a trusted root', async (type) => {
    const { authority, trust, now, keyUsage = ['nonRepudiation'] } = open();
    const keys = newKey[type]();
    const issued = await authority.issue({ csr: signingRequest(keys), holder: HOLDER });
    const certificate = Certificate.parse(issued.certificate);
    expect(certificate.spki).toEqual(spkiOf(keys.publicKey));
    expect([OID.givenName, OID.surname, OID.serialNumber, OID.countryName].map((attribute) => certificate.subjectAttribute(attribute))).toEqual([
      'Mari-Liis',
      'Männik',
      'PNOEE-47101010033',
      'EE',
    ]);
    expect([...(certificate.keyUsage ?? [])].sort()).toEqual([...keyUsage].sort());
    const chain = trust.chain(certificate, issued.chain.map(Certificate.parse), now);
    expect(chain.slice(1).map(({ der }) => der)).toEqual(issued.chain);
    expect(issued.notAfter).toBe(certificate.notAfter);
    expect(issued.serial).toMatch(/^[0-9a-f]{2,40}$/);
    expect(BigInt(`0x${issued.serial}`)).toBe(BigInt(`0x${certificate.serial.toString('hex')}`));
  });

  it('gives another certificate to a repeated request', async () => {
    const { authority } = open();
    const csr = signingRequest(newKey['P-256']());
    const [one, other] = [await authority.issue({ csr, holder: HOLDER }), await authority.issue({ csr, holder: HOLDER })];
    expect(one.serial).not.toBe(other.serial);
  });

  it('refuses a request without a proof of possession, and one that is none', async () => {
    const { authority } = open();
    for (const csr of [signingRequest(newKey['P-256'](), { signer: newKey['P-256']().privateKey }), Buffer.from('hello')])
      await expect(authority.issue({ csr, holder: HOLDER })).rejects.toThrow(InvalidRequest);
  });
};
