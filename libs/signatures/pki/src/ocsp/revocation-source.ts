import type { Certificate } from '../certificates/certificate.js';
import type { RevocationStatus } from './ocsp-response.js';

/** A signed statement about one certificate, verified, in the form that goes into a container. */
export interface RevocationEvidence {
  readonly type: 'ocsp' | 'crl';
  /** A whole OCSPResponse or CertificateList, DER. */
  readonly der: Buffer;
  readonly status: RevocationStatus;
  /** When the statement was made: producedAt or thisUpdate. Epoch milliseconds. */
  readonly producedAt: number;
}

export interface AskTerms {
  /**
   * Whether an OCSP response counts that the responder had in stock, without the nonce and made earlier, as long as its nextUpdate is to come
   * (RFC 6960 §2.5, RFC 5019 §6). Enough for a look before signing; the proof in a container needs a response made after the time-stamp. Default false.
   */
  readonly fromStock?: boolean;
}

/** Port: whether certificates are revoked. */
export abstract class RevocationSource {
  /**
   * The certificate's state by the issuer's responder, or by its current list where it has no responder or the responder gives no usable answer:
   * asked by this call, never from a cache. The list may be older than the call. An OCSP response is made for the call, unless `fromStock` allows an
   * earlier one. Throws ServiceUnavailable when it gave no acceptable answer in time.
   */
  abstract ask(certificate: Certificate, issuer: Certificate, terms?: AskTerms): Promise<RevocationEvidence>;

  /**
   * A statement about a certificate of the trust service itself (an intermediate CA, a time-stamping unit): its
   * issuer's current CRL, which may come from a cache until its nextUpdate, or an OCSP response where there is no CRL, also one from stock that holds.
   * Throws ServiceUnavailable when there is none.
   */
  abstract current(certificate: Certificate, issuer: Certificate): Promise<RevocationEvidence>;
}
