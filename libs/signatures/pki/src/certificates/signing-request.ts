import { createPublicKey, type KeyObject, verify } from 'node:crypto';

import { InvalidRequest } from '#kernel';

import { signatureScheme } from '../cms/algorithms.js';
import { encode, nul, oid, sequence } from '../der/der.js';
import { DerReader } from '../der/der-reader.js';
import { MalformedDer } from '../der/malformed-der.js';
import { OID } from '../der/oids.js';
import type { Certificate } from './certificate.js';
import { attributeIn } from './name-text.js';

/** A key that signs documents, and its type (specification/signing.md#keys-and-algorithms). */
export type SigningKeyType = 'P-256' | 'P-384' | 'RSA';

export interface SigningKey {
  readonly type: SigningKeyType;
  readonly publicKey: KeyObject;
  /** DER SubjectPublicKeyInfo, as it came. */
  readonly spki: Buffer;
}

const MAX_REQUEST_BYTES = 16 * 1024;
const MIN_RSA_BITS = 3072;
const MAX_RSA_BITS = 8192;
const UNCOMPRESSED_POINT = 4;

// named curves only: parameters spelt out could describe a curve of the sender's own making
const KEY_ALGORITHMS: readonly { readonly type: SigningKeyType; readonly algorithm: Buffer }[] = [
  { type: 'P-256', algorithm: encode(sequence(oid(OID.ecPublicKey), oid(OID.p256))) },
  { type: 'P-384', algorithm: encode(sequence(oid(OID.ecPublicKey), oid(OID.p384))) },
  { type: 'RSA', algorithm: encode(sequence(oid(OID.rsaEncryption), nul())) },
];

/**
 * The key of a PKCS#10 request (RFC 2986), after proof that the sender holds it. Subject and attributes are
 * ignored: the certificate's contents come from the register. Throws {@link InvalidRequest} naming `signing_csr`.
 */
export const readSigningRequest = (der: Uint8Array): SigningKey => {
  try {
    const request = DerReader.parse(der, MAX_REQUEST_BYTES).fields();
    const info = request.take();
    const algorithm = request.take();
    const signature = request.take().bits();
    request.end();

    const key = readSigningKey(subjectPublicKeyInfo(info));
    if (!provesPossession(info.bytes, algorithm, signature, key)) throw refused('is not signed by its own key: sign it with the key that it holds');
    return key;
  } catch (error) {
    if (!(error instanceof MalformedDer)) throw error;
    throw refused(`must be one PKCS#10 request in DER of at most ${MAX_REQUEST_BYTES} bytes`, error.message);
  }
};

/** Whether the request is by the key of that certificate. Throws as {@link readSigningRequest}. */
export const isRequestByKeyOf = (der: Uint8Array, certificate: Certificate): boolean =>
  readSigningRequest(der).publicKey.equals(certificate.publicKey);

/** The common name that the phone wrote into a request that {@link readSigningRequest} has read; undefined without a readable one. */
export const commonNameIn = (der: Uint8Array): string | undefined => {
  try {
    const info = DerReader.parse(der, MAX_REQUEST_BYTES).fields().take().fields();
    info.take();
    return attributeIn(info.take().bytes, OID.commonName);
  } catch (error) {
    if (error instanceof MalformedDer) return undefined;
    throw error;
  }
};

const subjectPublicKeyInfo = (info: DerReader): DerReader => {
  const fields = info.fields();
  if (fields.take().small() !== 0) throw new MalformedDer('version of the request');
  fields.take();
  const spki = fields.take();
  fields.maybe(0xa0);
  fields.end();
  return spki;
};

/** Throws {@link InvalidRequest} for a key that may not sign documents, {@link MalformedDer} for none at all. */
const readSigningKey = (reader: DerReader): SigningKey => {
  const fields = reader.fields();
  const algorithm = fields.take().bytes;
  const point = fields.take().bits();
  fields.end();
  const type = KEY_ALGORITHMS.find((known) => known.algorithm.equals(algorithm))?.type;
  if (!type) throw refused(KEYS_ALLOWED, 'key algorithm');
  if (type !== 'RSA' && point[0] !== UNCOMPRESSED_POINT) throw refused('must hold its point uncompressed');
  const publicKey = parsePublicKey(reader.bytes);
  if (type === 'RSA') checkRsa(publicKey);
  return { type, publicKey, spki: reader.bytes };
};

const parsePublicKey = (spki: Buffer): KeyObject => {
  try {
    return createPublicKey({ key: spki, format: 'der', type: 'spki' });
  } catch (cause) {
    throw new MalformedDer('public key', { cause });
  }
};

/** FIPS 186-5 §A.1.1: an odd exponent above 2^16; the upper bounds keep a verification cheap. */
const checkRsa = (key: KeyObject): void => {
  const { modulusLength = 0, publicExponent = 0n } = key.asymmetricKeyDetails ?? {};
  if (modulusLength < MIN_RSA_BITS || modulusLength > MAX_RSA_BITS) throw refused(KEYS_ALLOWED, `RSA of ${modulusLength} bits`);
  // RFC 8017 §8.2.2: a signature has as many octets as the modulus; clients disagree about one that does not fill its octets
  if (modulusLength % 8 !== 0) {
    throw refused(
      `holds an RSA modulus of ${modulusLength} bits, which is no multiple of 8: make a key of 3072 or 4096 bits`,
      'RSA modulus of odd bits',
    );
  }
  if (publicExponent <= 65536n || publicExponent % 2n === 0n || publicExponent >= 1n << 32n) {
    throw refused('has an unsound RSA exponent: use 65537');
  }
};

const provesPossession = (info: Buffer, algorithm: DerReader, signature: Buffer, key: SigningKey): boolean => {
  const fields = algorithm.fields();
  const scheme = signatureScheme(fields.take().oid());
  if (!scheme || scheme.key !== key.publicKey.asymmetricKeyType) {
    throw refused('must be signed with ECDSA or RSA PKCS#1 v1.5 and SHA-256, SHA-384 or SHA-512', 'signature algorithm');
  }
  return verify(scheme.hash, info, key.publicKey, signature);
};

const KEYS_ALLOWED = `must hold a P-256, P-384 or RSA key (RSA: ${MIN_RSA_BITS} to ${MAX_RSA_BITS} bits)`;

const refused = (what: string, reason = what): InvalidRequest => new InvalidRequest(`signing_csr ${what}`, `signing_csr: ${reason}`);
