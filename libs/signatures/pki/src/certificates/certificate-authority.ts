/** The person in whose name a certificate is issued. */
export interface CertificateHolder {
  /** One of the two names may be empty. */
  readonly givenName: string;
  readonly familyName: string;
  readonly personalCode: string;
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
}

export interface CertificateRequest {
  /** PKCS#10 (RFC 2986), DER. */
  readonly csr: Buffer;
  readonly holder: CertificateHolder;
}

export interface IssuedCertificate {
  /** DER. */
  readonly certificate: Buffer;
  /** DER, issuing CA first, root last. */
  readonly chain: readonly Buffer[];
  /** Lower-case hex. */
  readonly serial: string;
  /** Epoch milliseconds. */
  readonly notAfter: number;
}

/** Issues the certificate of a phone's signing key. */
export abstract class CertificateAuthority {
  /**
   * Checks the request (proof of possession, key type) and issues a certificate to its key in the name of the holder. A repeated
   * call issues another certificate.
   *
   * Throws InvalidRequest naming `signing_csr`, and ServiceUnavailable while the authority is unavailable.
   */
  abstract issue(request: CertificateRequest): Promise<IssuedCertificate>;
}
