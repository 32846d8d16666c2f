import type { Certificate } from '../certificates/certificate.js';
import { type AskTerms, type RevocationEvidence, RevocationSource } from './revocation-source.js';

export interface RevocationSources {
  /** The certificate authorities of the own trust service, and the source that answers for the certificates that they issued. */
  readonly own: { readonly issuers: readonly Certificate[]; readonly source: RevocationSource };
  /** Answers for the certificates of all other issuers. */
  readonly foreign: RevocationSource;
  /** Asked about every signer, also one of an own issuer. Default: the source of the signer's issuer. */
  readonly signers?: RevocationSource;
}

/**
 * Asks the source of the certificate's issuer. A container may join an own certificate authority with a foreign time-stamping authority, and neither
 * can speak for the other's certificates.
 */
export class RevocationSourceByIssuer extends RevocationSource {
  constructor(private readonly sources: RevocationSources) {
    super();
  }

  override ask(certificate: Certificate, issuer: Certificate, terms?: AskTerms): Promise<RevocationEvidence> {
    return (this.sources.signers ?? this.sourceOf(issuer)).ask(certificate, issuer, terms);
  }

  override current(certificate: Certificate, issuer: Certificate): Promise<RevocationEvidence> {
    return this.sourceOf(issuer).current(certificate, issuer);
  }

  private sourceOf(issuer: Certificate): RevocationSource {
    const { own, foreign } = this.sources;
    return own.issuers.some((one) => one.equals(issuer)) ? own.source : foreign;
  }
}
