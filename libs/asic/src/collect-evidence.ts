import { ServiceUnavailable } from '#kernel';
import { Certificate, type RevocationEvidence, type RevocationSource, type RevocationStatus, type TimestampAuthority, withIssuers } from '#pki';

import type { Evidence } from './assemble-signature.js';
import { fitsSigningTime } from './verify/check-time-stamp.js';

export interface EvidenceTerms {
  /** As `verifyDeviceSignature` gave it. */
  readonly signature: Buffer;
  /** DER: the signer's certificate, and its chain: issuing CA first, root last. */
  readonly certificate: Uint8Array;
  readonly chain: readonly Uint8Array[];
  /** Epoch milliseconds. */
  readonly signingTime: number;
}

/** The signer's certificate, or one of the trust services, is revoked or unknown: no container can be built, now or later. */
export class CertificateNotGood extends Error {
  constructor(readonly status: RevocationStatus) {
    super(`a certificate of the signature is ${status}`);
    this.name = 'CertificateNotGood';
  }
}

/**
 * Gathers the evidence that level LT adds to a signature, in the order that the proof needs: the time-stamp over the signature,
 * then the CA's statement about the signer at or after that time, then one about every certificate of the trust services.
 */
export class CollectEvidence {
  constructor(
    private readonly timestampAuthority: TimestampAuthority,
    private readonly revocationSource: RevocationSource,
  ) {}

  /** May be repeated: that gives other evidence. Throws {@link CertificateNotGood}, ServiceUnavailable. */
  async execute(terms: EvidenceTerms): Promise<Evidence & { readonly level: 'LT' }> {
    const timeStamp = await this.timestampAuthority.stamp(terms.signature);
    if (!fitsSigningTime(timeStamp.genTime, terms.signingTime)) throw new ServiceUnavailable('the time-stamp does not fit the signing time');
    const [signer, issuer, ...rest] = [terms.certificate, ...terms.chain].map(Certificate.parse);
    if (!signer || !issuer) throw new RangeError("the signer's chain is empty");

    const answer = await this.revocationSource.ask(signer, issuer);
    if (answer.status !== 'good') throw new CertificateNotGood(answer.status);
    if (answer.producedAt < Math.floor(timeStamp.genTime / 1000) * 1000)
      throw new ServiceUnavailable('the OCSP response is older than the time-stamp');
    const vouching = [...withIssuers([issuer, ...rest]), ...withIssuers(timeStamp.chain)];
    const statements = await Promise.all(vouching.map(([certificate, by]) => this.current(certificate, by)));
    return { level: 'LT', timeStamp, revocation: [answer, ...statements] };
  }

  private async current(certificate: Certificate, issuer: Certificate): Promise<RevocationEvidence> {
    const statement = await this.revocationSource.current(certificate, issuer);
    if (statement.status !== 'good') throw new CertificateNotGood(statement.status);
    return statement;
  }
}
