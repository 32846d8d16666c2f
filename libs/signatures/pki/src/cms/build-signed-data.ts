import type { Certificate } from '../certificates/certificate.js';
import { contents, type DerNode, implicitSetOf, integer, octetString, oid, raw, sequence, setOf, TAG, tagged } from '../der/der.js';
import { OID } from '../der/oids.js';
import { digestAlgorithm, signatureAlgorithm } from './algorithms.js';
import type { HashName } from './signature-scheme.js';

export const attribute = (type: string, value: DerNode): DerNode => sequence(oid(type), setOf(value));

export interface SignerParts {
  readonly certificate: Certificate;
  readonly hash: HashName;
  /** The signed `SET OF Attribute`, byte for byte. */
  readonly signedAttributes: Buffer;
  readonly signature: Buffer;
  readonly unsigned?: readonly DerNode[];
}

/** RFC 5652 §5.3, version 1: the signer named by issuer and serial number. */
export const signerInfo = ({ certificate, hash, signedAttributes, signature, unsigned = [] }: SignerParts): DerNode => {
  const stored = Buffer.from(signedAttributes);
  stored[0] = TAG.constructed(0);
  return sequence(
    integer(1),
    sequence(raw(certificate.issuer), contents(TAG.integer, certificate.serial)),
    digestAlgorithm(hash),
    raw(stored),
    signatureAlgorithm(certificate.publicKey, hash),
    octetString(signature),
    ...(unsigned.length > 0 ? [implicitSetOf(1, ...unsigned)] : []),
  );
};

export interface SignedDataParts {
  readonly version: number;
  readonly hash: HashName;
  readonly contentType: string;
  /** Left out of a detached signature. */
  readonly content?: Buffer;
  readonly certificates: readonly Certificate[];
  readonly crls?: readonly DerNode[];
  readonly signer: DerNode;
}

/** ContentInfo around a SignedData (RFC 5652 §3 and 5.1). */
export const signedData = ({ version, hash, contentType, content, certificates, crls = [], signer }: SignedDataParts): DerNode =>
  sequence(
    oid(OID.signedData),
    tagged(
      0,
      sequence(
        integer(version),
        setOf(digestAlgorithm(hash)),
        sequence(oid(contentType), ...(content ? [tagged(0, octetString(content))] : [])),
        ...(certificates.length > 0 ? [implicitSetOf(0, ...certificates.map(({ der }) => raw(der)))] : []),
        ...(crls.length > 0 ? [implicitSetOf(1, ...crls)] : []),
        setOf(signer),
      ),
    ),
  );
