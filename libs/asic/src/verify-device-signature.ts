import { verify } from 'node:crypto';

import { Certificate, encode, integer, sequence } from '#pki';

import { requireSigningAlgorithm } from './signing-algorithm.js';

export interface DeviceSignature {
  /** The bytes that {@link prepareSignature} gave. */
  readonly toBeSigned: Uint8Array;
  /** DER certificate of the signing key. */
  readonly certificate: Uint8Array;
  /** As the phone sends it: IEEE P1363 (r and s, each of fixed length) for EC keys, one PKCS#1 v1.5 block for RSA. */
  readonly signature: Uint8Array;
}

/**
 * The signature in the form that goes into the container (ECDSA: DER), when it is over exactly those bytes with
 * exactly that key; undefined for any other, in shape or in value.
 */
export const verifyDeviceSignature = ({ toBeSigned, certificate, signature }: DeviceSignature): Buffer | undefined => {
  const { publicKey, ...parsed } = keyOf(certificate);
  if (signature.length !== parsed.signatureBytes) return undefined;
  const key = { key: publicKey, dsaEncoding: 'ieee-p1363' } as const;
  if (!verify(parsed.hash, toBeSigned, key, signature)) return undefined;
  return publicKey.asymmetricKeyType === 'ec' ? derFromP1363(signature) : Buffer.from(signature);
};

/** Whether a signature in the form that {@link verifyDeviceSignature} gave is over exactly those bytes with exactly that key. */
export const verifyStoredSignature = ({ toBeSigned, certificate, signature }: DeviceSignature): boolean => {
  const { publicKey, hash } = keyOf(certificate);
  return verify(hash, toBeSigned, publicKey, signature);
};

const keyOf = (der: Uint8Array) => {
  const certificate = Certificate.parse(der);
  return { publicKey: certificate.publicKey, ...requireSigningAlgorithm(certificate) };
};

/** Ecdsa-Sig-Value (RFC 3279 §2.2.3) of r ‖ s: minimal INTEGERs, with a zero in front if the top bit is set. */
export const derFromP1363 = (signature: Uint8Array): Buffer => {
  const half = signature.length / 2;
  return encode(sequence(integer(signature.subarray(0, half)), integer(signature.subarray(half))));
};
