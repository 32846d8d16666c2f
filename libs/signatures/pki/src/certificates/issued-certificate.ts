import { onOneLine } from '#kernel';

import { OID } from '../der/oids.js';
import type { Certificate } from './certificate.js';
import type { CertificateHolder, IssuedCertificate } from './certificate-authority.js';
import { personalNumber } from './certificate-profiles.js';
import { type TrustStore, Untrusted } from './trust-store.js';

/** The authority gave an answer that is not acceptable, or no answer. The message may hold the words of the authority. */
export class NotIssued extends Error {}

/** The certificate that was asked for. */
export interface CertificateTerms {
  /** DER SubjectPublicKeyInfo of the phone's key. */
  readonly spki: Buffer;
  readonly holder: CertificateHolder;
  /** The roots that the certificate must lead to. */
  readonly trust: TrustStore;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** The chain of a certificate that an authority has issued, root last, or why it is not the one that was asked for. `pool`: certificates from anywhere. */
export const chainOfIssued = (
  certificate: Certificate,
  pool: readonly Certificate[],
  { spki, holder, trust, now }: CertificateTerms,
): readonly Certificate[] | NotIssued => {
  if (!certificate.spki.equals(spki)) return new NotIssued('it issued a certificate for another key');
  if (certificate.subjectAttribute(OID.serialNumber) !== personalNumber(holder)) return new NotIssued('it issued a certificate to another person');
  if (certificate.keyUsage?.has('nonRepudiation') !== true || certificate.isCa)
    return new NotIssued('it issued a certificate that is not for signing documents (nonRepudiation)');
  try {
    return trust.chain(certificate, pool, now);
  } catch (error) {
    if (!(error instanceof Untrusted)) throw error;
    return new NotIssued('it issued a certificate that leads to none of the trusted roots: check TRUST_ANCHORS and CA_ISSUERS');
  }
};

/** The answer of the port. `chain`: that of {@link chainOfIssued}. */
export const issuedCertificate = (certificate: Certificate, chain: readonly Certificate[]): IssuedCertificate => ({
  certificate: certificate.der,
  chain: chain.slice(1).map(({ der }) => der),
  serial: certificate.serial.toString('hex').replace(/^(00)+(?=.)/, ''),
  notAfter: certificate.notAfter,
});

/** Removes the holder's names and personal code from the authority's text, which may repeat them and goes to the log. */
export const withoutPerson = (text: string, { givenName, familyName, personalCode }: CertificateHolder): string =>
  [personalCode, givenName, familyName]
    .filter(Boolean)
    .reduce((rest, word) => rest.replaceAll(new RegExp(word.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`), 'giu'), '…'), text);

/** Text of an authority for the log: of one line, and not long. */
export const printable = (text: string): string => onOneLine(text).slice(0, 200);
