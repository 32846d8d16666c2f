import { hash } from 'node:crypto';

import type { Certificate } from '../certificates/certificate.js';
import { onceForCertificate } from '../certificates/once-for-certificate.js';
import type { HashName } from '../cms/signature-scheme.js';
import { contents, type DerNode, encode, nul, octetString, oid, sequence, TAG, tagged } from '../der/der.js';
import { DerReader } from '../der/der-reader.js';
import { OID } from '../der/oids.js';

/** Which certificate is asked about (RFC 6960 §4.1.1). SHA-1 names the issuer here and secures nothing: every responder knows it. */
export interface CertificateId {
  readonly issuerNameHash: Buffer;
  readonly issuerKeyHash: Buffer;
  /** Content octets of the serial number. */
  readonly serial: Buffer;
}

export interface OcspRequest {
  readonly certificates: readonly DerReader[];
  /** Value of the nonce extension: the DER of an OCTET STRING (RFC 8954). */
  readonly nonce: Buffer | undefined;
}

export const MAX_OCSP_BYTES = 64 * 1024;
const MAX_NONCE_BYTES = 34;

type CertificateIdHash = 'sha1' | HashName;
const hashesBy = (name: CertificateIdHash) =>
  onceForCertificate(({ subject, keyOctets }: Certificate) => ({
    issuerNameHash: hash(name, subject, 'buffer'),
    issuerKeyHash: hash(name, keyOctets, 'buffer'),
  }));
const HASHES = { sha1: hashesBy('sha1'), sha256: hashesBy('sha256'), sha384: hashesBy('sha384'), sha512: hashesBy('sha512') } as const;
const HASH_BY_OID: Readonly<Record<string, CertificateIdHash>> = {
  [OID.sha1]: 'sha1',
  [OID.sha256]: 'sha256',
  [OID.sha384]: 'sha384',
  [OID.sha512]: 'sha512',
};

export const certificateId = (serial: Buffer, issuer: Certificate): CertificateId => ({ ...HASHES.sha1(issuer), serial });

/** The SHA-1 of a certificate's key, by which a responder may name itself (RFC 6960 §4.2.1). */
export const keyHashOf = (certificate: Certificate): Buffer => HASHES.sha1(certificate).issuerKeyHash;

export const encodeCertificateId = ({ issuerNameHash, issuerKeyHash, serial }: CertificateId): DerNode =>
  sequence(sequence(oid(OID.sha1), nul()), octetString(issuerNameHash), octetString(issuerKeyHash), contents(TAG.integer, serial));

export const nonceExtension = (nonce: Buffer): DerNode => sequence(oid(OID.ocspNonce), octetString(nonce));

/** `nonce`: 32 random bytes; absent, none is sent. */
export const encodeOcspRequest = (id: CertificateId, nonce?: Buffer): Buffer =>
  encode(
    sequence(
      sequence(sequence(sequence(encodeCertificateId(id))), ...(nonce ? [tagged(2, sequence(nonceExtension(encode(octetString(nonce)))))] : [])),
    ),
  );

/** The CertID with any hash: hash algorithm, both hashes and serial as read. Throws {@link MalformedDer}. */
export const readCertificateId = (reader: DerReader): CertificateId & { readonly hash: CertificateIdHash | undefined } => {
  const fields = reader.fields();
  const algorithm = fields.take().fields();
  const type = algorithm.take().oid();
  algorithm.maybe(TAG.nul);
  algorithm.end();
  const issuerNameHash = fields.take().octets();
  const issuerKeyHash = fields.take().octets();
  const serial = fields.take().integer();
  fields.end();
  return { hash: HASH_BY_OID[type], issuerNameHash, issuerKeyHash, serial };
};

/** Whether the CertID names a certificate of that issuer. */
export const isIssuedBy = (id: ReturnType<typeof readCertificateId>, issuer: Certificate): boolean => {
  const hashes = id.hash && HASHES[id.hash](issuer);
  return hashes !== undefined && id.issuerNameHash.equals(hashes.issuerNameHash) && id.issuerKeyHash.equals(hashes.issuerKeyHash);
};

/** Signed requests are read as if unsigned. Throws {@link MalformedDer}. */
export const readOcspRequest = (der: Uint8Array): OcspRequest => {
  const tbs = DerReader.parse(der, MAX_OCSP_BYTES).fields().take().fields();
  tbs.maybe(TAG.constructed(0));
  tbs.maybe(TAG.constructed(1));
  const requests = tbs.take().members(TAG.sequence);
  const extensions = tbs.maybe(TAG.constructed(2))?.only(TAG.constructed(2)).members(TAG.sequence) ?? [];
  tbs.end();
  return { certificates: requests.map((request) => request.fields().take()), nonce: readNonce(extensions) };
};

/** The value of the nonce extension among the extensions given. */
export const readNonce = (extensions: readonly DerReader[]): Buffer | undefined => {
  for (const extension of extensions) {
    const fields = extension.fields();
    if (fields.take().oid() !== OID.ocspNonce) continue;
    fields.maybe(TAG.boolean);
    const value = fields.take().octets();
    return value.length <= MAX_NONCE_BYTES ? value : undefined;
  }
  return undefined;
};
