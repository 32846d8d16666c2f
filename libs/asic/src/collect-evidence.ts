import { inSpan, ServiceUnavailable } from '#kernel';
import {
  Certificate,
  type RevocationEvidence,
  type RevocationSource,
  type RevocationStatus,
  type TimestampAuthority,
  type VerifiedTimeStamp,
  withIssuers,
} from '#pki';

import type { Evidence } from './assemble-signature.js';
import { fitsSigningTime } from './verify/check-time-stamp.js';

export interface StampTerms {
  /** As `verifyDeviceSignature` gave it. */
  readonly signature: Buffer;
  /** Epoch milliseconds. */
  readonly signingTime: number;
}

export interface EvidenceTerms {
  /** DER: the signer's certificate, and its chain: issuing CA first, root last. */
  readonly certificate: Uint8Array;
  readonly chain: readonly Uint8Array[];
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
 * then the CA's statement about the signer (an OCSP response at or after that time, or the list that holds), then one about every certificate of
 * the trust services.
 */
export class CollectEvidence {
  constructor(
    private readonly timestampAuthority: TimestampAuthority,
    private readonly revocationSource: RevocationSource,
  ) {}

  /** A time-stamp over the signature. Each call buys one: keep it over retries. Throws ServiceUnavailable. */
  async stamp({ signature, signingTime }: StampTerms): Promise<VerifiedTimeStamp> {
    const timeStamp = await inSpan(
      () => ({ name: 'time-stamp', kind: 'internal' }),
      () => this.timestampAuthority.stamp(signature),
    );
    if (!fitsSigningTime(timeStamp.genTime, signingTime)) throw new ServiceUnavailable('the time-stamp does not fit the signing time');
    return timeStamp;
  }

  /** The statements about all certificates, for that time-stamp. May be repeated. Throws {@link CertificateNotGood}, ServiceUnavailable. */
  execute(terms: EvidenceTerms, timeStamp: VerifiedTimeStamp): Promise<Evidence & { readonly level: 'LT' }> {
    return inSpan(
      () => ({ name: 'revocation statements', kind: 'internal' }),
      () => this.statements(terms, timeStamp),
    );
  }

  private async statements(terms: EvidenceTerms, timeStamp: VerifiedTimeStamp): Promise<Evidence & { readonly level: 'LT' }> {
    const [signer, issuer, ...rest] = [terms.certificate, ...terms.chain].map(Certificate.parse);
    if (!signer || !issuer) throw new RangeError("the signer's chain is empty");

    const answer = await this.revocationSource.ask(signer, issuer);
    if (answer.status !== 'good') throw new CertificateNotGood(answer.status);
    // a list is made every few hours or days; the source has checked that it holds now
    if (answer.type === 'ocsp' && answer.producedAt < Math.floor(timeStamp.genTime / 1000) * 1000)
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
