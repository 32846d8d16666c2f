import { hash } from 'node:crypto';

import { attribute, Certificate, encode, octetString, oid, OID, setOf, type SignatureAlgorithm, signingCertificateV2, time } from '#signatures/pki';

import { type SignedDocument, type SignedRequest, writeManifest } from './manifest.js';
import { requireSigningAlgorithm } from './signing-algorithm.js';

export interface SignatureTerms {
  readonly documents: readonly SignedDocument[];
  /** Signed with the documents. */
  readonly request?: SignedRequest;
  /** DER certificate of the key that will sign. */
  readonly certificate: Uint8Array;
  /** Epoch milliseconds; whole seconds are signed. */
  readonly signingTime: number;
}

export interface PreparedSignature {
  /** The exact ASiCManifest that will lie in the container. Keep the bytes: they are never made again from the inputs. */
  readonly manifest: Buffer;
  /** DER of the CAdES signed attributes, which the phone hashes and signs. Keep the bytes. */
  readonly toBeSigned: Buffer;
  readonly algorithm: SignatureAlgorithm;
}

/** First phase: prepares the manifest and the attributes for the phone (EN 319 122-1 §5.1 and 5.2). Throws a RangeError for unchecked input. */
export const prepareSignature = (terms: SignatureTerms): PreparedSignature => {
  const certificate = Certificate.parse(terms.certificate);
  const algorithm = requireSigningAlgorithm(certificate);
  const manifest = Buffer.from(writeManifest(terms));
  const toBeSigned = encode(
    setOf(
      attribute(OID.contentType, oid(OID.data)),
      attribute(OID.messageDigest, octetString(hash(algorithm.hash, manifest, 'buffer'))),
      attribute(OID.signingTime, time(terms.signingTime)),
      attribute(OID.signingCertificateV2, signingCertificateV2(certificate)),
    ),
  );
  return { manifest, toBeSigned, algorithm: algorithm.name };
};
