import type { Certificate, HashName, SignatureAlgorithm } from '#signatures/pki';

/** How the key of a certificate signs: the key's type decides, not the phone (specification/signing.md#keys-and-algorithms). */
export interface SigningAlgorithm {
  readonly name: SignatureAlgorithm;
  readonly hash: HashName;
  /** Bytes of a signature as the phone sends it: r and s of fixed length, or an RSA block of ceil(modulus bits / 8) octets (RFC 8017 §8.2.2). */
  readonly signatureBytes: number;
}

const MIN_RSA_BITS = 3072;
const ES256: SigningAlgorithm = { name: 'ES256', hash: 'sha256', signatureBytes: 64 };
const ES384: SigningAlgorithm = { name: 'ES384', hash: 'sha384', signatureBytes: 96 };

/** Undefined for a key that documents are not signed with. */
export const signingAlgorithm = ({ publicKey }: Certificate): SigningAlgorithm | undefined => {
  const { namedCurve, modulusLength = 0 } = publicKey.asymmetricKeyDetails ?? {};
  if (publicKey.asymmetricKeyType === 'ec' && namedCurve === 'prime256v1') return ES256;
  if (publicKey.asymmetricKeyType === 'ec' && namedCurve === 'secp384r1') return ES384;
  if (publicKey.asymmetricKeyType === 'rsa' && modulusLength >= MIN_RSA_BITS) {
    return { name: 'RS512', hash: 'sha512', signatureBytes: Math.ceil(modulusLength / 8) };
  }
  return undefined;
};

/** Throws a RangeError for a certificate that the enrolment should never have let through. */
export const requireSigningAlgorithm = (certificate: Certificate): SigningAlgorithm => {
  const algorithm = signingAlgorithm(certificate);
  if (!algorithm) throw new RangeError('the certificate holds no key that signs documents');
  return algorithm;
};
