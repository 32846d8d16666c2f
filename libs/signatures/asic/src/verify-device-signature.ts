import { Certificate, encode, integer, sequence, verifiesUnder } from '#signatures/pki';

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
export const verifyDeviceSignature = (device: DeviceSignature): Buffer | undefined => {
  const { signature } = device;
  const { key, signatureBytes } = schemeOf(Certificate.parse(device.certificate));
  if (signature.length !== signatureBytes) return undefined;
  const stored = key === 'ec' ? derFromP1363(signature) : Buffer.from(signature);
  return verifyStoredSignature({ ...device, signature: stored }) ? stored : undefined;
};

/** Whether a signature in the form that {@link verifyDeviceSignature} gave is over exactly those bytes with exactly that key. */
export const verifyStoredSignature = ({ toBeSigned, certificate, signature }: DeviceSignature): boolean => {
  const parsed = Certificate.parse(certificate);
  return verifiesUnder(schemeOf(parsed), { data: Buffer.from(toBeSigned), key: parsed.publicKey, signature: Buffer.from(signature) });
};

const schemeOf = (certificate: Certificate) => {
  const { hash, signatureBytes } = requireSigningAlgorithm(certificate);
  return { key: certificate.publicKey.asymmetricKeyType === 'ec' ? 'ec' : 'rsa', hash, signatureBytes } as const;
};

/** Ecdsa-Sig-Value (RFC 3279 §2.2.3) of r ‖ s: minimal INTEGERs, with a zero in front if the top bit is set. */
export const derFromP1363 = (signature: Uint8Array): Buffer => {
  const half = signature.length / 2;
  return encode(sequence(integer(signature.subarray(0, half)), integer(signature.subarray(half))));
};
