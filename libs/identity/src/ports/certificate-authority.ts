import type { PersonalData } from '../domain/personal-data.js';

/** Issues the certificate of a phone's signing key. */
export abstract class CertificateAuthority {
  /**
   * Checks the PKCS#10 request (DER, proof of possession, key type) and issues a certificate to its key in the
   * name of the person. A repeated call issues another certificate.
   *
   * Answers DER: the certificate, and its chain, issuing CA first, root last; `serial` in lower-case hex;
   * `notAfter` in epoch milliseconds. Throws InvalidRequest naming `signing_csr`, ServiceUnavailable when the authority is away.
   */
  abstract issue(request: { csr: Buffer; serialHolder: PersonalData }): Promise<{
    certificate: Buffer;
    chain: readonly Buffer[];
    serial: string;
    notAfter: number;
  }>;
}
