import { X509Certificate } from 'node:crypto';

import type { Clock, Randomness } from '#kernel';

import { CertificateAuthority, type CertificateRequest, type IssuedCertificate } from '../certificates/certificate-authority.js';
import { signerProfile } from '../certificates/certificate-profiles.js';
import { issueCertificate, newSerial, yearsAfter } from '../certificates/issue-certificate.js';
import { readSigningRequest } from '../certificates/signing-request.js';
import { type DevelopmentPki, issuerOf } from './development-pki.js';

// a time-stamping unit's clock may be behind ours when the first document follows at once
const BACKDATED = 60_000;

/** Issues the certificates that phones sign documents with, under the development root. Never qualified. */
export class DevelopmentCertificateAuthority extends CertificateAuthority {
  constructor(
    private readonly pki: DevelopmentPki,
    private readonly clock: Clock,
    private readonly randomness: Randomness,
  ) {
    super();
  }

  override async issue({ csr, holder }: CertificateRequest): Promise<IssuedCertificate> {
    const { spki } = readSigningRequest(csr);
    const profile = signerProfile(holder, this.pki.addresses);
    const serial = newSerial(this.randomness);
    const now = Math.floor(this.clock.now() / 1000) * 1000;
    const notAfter = Math.min(yearsAfter(now, profile.years), Date.parse(new X509Certificate(this.pki.issuing.certificate).validTo));
    const certificate = await issueCertificate({ profile, spki, serial, notBefore: now - BACKDATED, notAfter }, issuerOf(this.pki.issuing));
    return { certificate, chain: [this.pki.issuing.certificate, this.pki.root.certificate], serial: serial.toString('hex'), notAfter };
  }
}
