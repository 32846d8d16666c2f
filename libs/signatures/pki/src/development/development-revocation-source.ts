import type { Clock, Randomness } from '#kernel';

import type { Certificate } from '../certificates/certificate.js';
import { statusIn, type VerifiedCrl, verifyCrl } from '../crl/crl.js';
import { certificateId, encodeOcspRequest } from '../ocsp/ocsp-request.js';
import { verifyOcspResponse } from '../ocsp/ocsp-response.js';
import { type RevocationEvidence, RevocationSource } from '../ocsp/revocation-source.js';
import { answerOcsp, type OcspAnswerer } from './answer-ocsp.js';
import type { DevelopmentPki } from './development-pki.js';
import { issueRootCrl } from './issue-root-crl.js';

/** The development trust service's responder and list, asked within the process. */
export class DevelopmentRevocationSource extends RevocationSource {
  private crl: VerifiedCrl | undefined;

  constructor(
    private readonly pki: DevelopmentPki,
    /** The register's entry for a serial number. */
    private readonly lookUp: OcspAnswerer['lookUp'],
    private readonly clock: Clock,
    private readonly randomness: Randomness,
  ) {
    super();
  }

  override async ask(certificate: Certificate, issuer: Certificate): Promise<RevocationEvidence> {
    const nonce = this.randomness.bytes(32);
    const request = encodeOcspRequest(certificateId(certificate.serial, issuer), nonce);
    const answer = await answerOcsp(request, { pki: this.pki, now: this.clock.now(), lookUp: this.lookUp });
    const { status, producedAt, response } = verifyOcspResponse(answer, { certificate, issuer, nonce });
    return { type: 'ocsp', der: response, status, producedAt };
  }

  override async current(certificate: Certificate, issuer: Certificate): Promise<RevocationEvidence> {
    const now = this.clock.now();
    if (!this.crl || now < this.crl.thisUpdate || this.crl.nextUpdate <= now) this.crl = verifyCrl(issueRootCrl(this.pki.root, now), issuer);
    return { type: 'crl', der: this.crl.crl, status: statusIn(this.crl, certificate), producedAt: this.crl.thisUpdate };
  }
}
