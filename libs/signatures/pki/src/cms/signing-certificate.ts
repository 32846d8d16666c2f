import { hash } from 'node:crypto';

import type { Certificate } from '../certificates/certificate.js';
import { sameName } from '../certificates/same-name.js';
import { contents, type DerNode, octetString, raw, sequence, TAG, tagged } from '../der/der.js';
import type { DerReader } from '../der/der-reader.js';
import { OID } from '../der/oids.js';
import { readHash } from './algorithms.js';
import type { HashName } from './signature-scheme.js';
import { type Attributes, soleValue } from './signed-data.js';

/** Value of signing-certificate-v2 (RFC 5035 §3): SHA-256, which is the default and therefore not named, and IssuerSerial. */
export const signingCertificateV2 = (certificate: Certificate): DerNode => {
  const issuerSerial = sequence(sequence(tagged(4, raw(certificate.issuer))), contents(TAG.integer, certificate.serial));
  return sequence(sequence(sequence(octetString(digestOf(certificate)), issuerSerial)));
};

/** How the signed attributes name the signer's certificate; `undefined` when they do not. */
export type SigningCertificateReference = 'matches' | 'names another' | undefined;

/** signing-certificate-v2, or, with `orV1`, the older signing-certificate with SHA-1 that many time-stamping units still send. */
export const signingCertificateReference = (signed: Attributes, certificate: Certificate, orV1 = false): SigningCertificateReference => {
  const v2 = soleValue(signed, OID.signingCertificateV2);
  // a signer has one certificate; time-stamping units may name their chain too
  if (v2) return matchesV2(orV1 ? firstReference(v2) : soleReference(v2), certificate) ? 'matches' : 'names another';
  const v1 = orV1 ? soleValue(signed, OID.signingCertificate) : undefined;
  if (!v1) return undefined;
  const fields = firstReference(v1).fields();
  return matchesRest(fields, hash('sha1', certificate.der, 'buffer'), certificate) ? 'matches' : 'names another';
};

/** SigningCertificate[V2] ::= SEQUENCE { certs SEQUENCE OF ESSCertID[v2], … }: the first one is the signer's. */
const firstReference = (reader: DerReader): DerReader => reader.fields().take().fields().take();

/** EN 319 122-1 §5.2.2.3: a signer's attribute names no other certificate. */
const soleReference = (reader: DerReader): DerReader => reader.fields().take().only(TAG.sequence);

const matchesV2 = (reference: DerReader, certificate: Certificate): boolean => {
  const fields = reference.fields();
  const algorithm = fields.maybe(TAG.sequence);
  return matchesRest(fields, digestOf(certificate, algorithm ? readHash(algorithm) : 'sha256'), certificate);
};

const digestOf = ({ der, fingerprint }: Certificate, name: HashName = 'sha256'): Buffer =>
  name === 'sha256' ? Buffer.from(fingerprint, 'hex') : hash(name, der, 'buffer');

/** The fields after the algorithm: the hash, IssuerSerial if there is one, and nothing else. */
const matchesRest = (fields: ReturnType<DerReader['fields']>, digest: Buffer, certificate: Certificate): boolean => {
  const [named, issuerSerial] = [fields.take().octets(), fields.maybe(TAG.sequence)];
  fields.end();
  return named.equals(digest) && matchesSerial(issuerSerial, certificate);
};

/** IssuerSerial is optional; when it is there it must agree. */
const matchesSerial = (reader: DerReader | undefined, certificate: Certificate): boolean => {
  if (!reader) return true;
  const fields = reader.fields();
  // RFC 5035 §4: the issuer's name and no other
  const issuer = fields.take().only(TAG.sequence).only(TAG.constructed(4)).as(TAG.sequence).bytes;
  const serial = fields.take().integer();
  fields.end();
  return sameName(issuer, certificate.issuer) && serial.equals(certificate.serial);
};
