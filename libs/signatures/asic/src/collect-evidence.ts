import { inSpan, ServiceUnavailable } from '#kernel';
import {
  Certificate,
  type RevocationEvidence,
  type RevocationSource,
  type RevocationStatus,
  type TimestampAuthority,
  type VerifiedTimeStamp,
  withIssuers,
} from '#signatures/pki';

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
    const problem = problemOf(answer, signer, timeStamp);
    if (problem) throw new ServiceUnavailable(problem);
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

/**
 * Why the statement about the signer is no proof yet; a later one may be. The source has checked that it holds now. A list of a CA without a responder may
 * be older than the time-stamp, as lists are made every few hours or days (`suffices` in verify/signer-statement.ts).
 */
const problemOf = ({ type, producedAt }: RevocationEvidence, signer: Certificate, { genTime }: VerifiedTimeStamp): string | undefined => {
  // units and responders count whole seconds
  const before = producedAt < Math.floor(genTime / 1000) * 1000;
  if (type === 'ocsp') return before ? 'the OCSP response is older than the time-stamp' : undefined;
  if (producedAt < signer.notBefore) return "the list of revoked certificates is older than the signer's certificate";
  return before && signer.ocspUrls.length > 0
    ? 'the OCSP responder gave no usable answer, and the list of revoked certificates is older than the time-stamp'
    : undefined;
};
