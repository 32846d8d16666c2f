import { createPrivateKey, generateKeyPairSync, type JsonWebKey } from 'node:crypto';

/** Bits (RFC 7518 section 3.3 wants 2048 at least). */
const RSA_BITS = 2048;

/** The bytes of a new key in `openid.json`: a JWK Set (RFC 7517) of private keys, one RSA and one P-256. */
export const newSigningPair = (): Buffer => {
  const rsa = generateKeyPairSync('rsa', { modulusLength: RSA_BITS }).privateKey;
  const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
  return Buffer.from(JSON.stringify({ keys: [rsa.export({ format: 'jwk' }), ec.export({ format: 'jwk' })] }));
};

/** Whether the bytes are such a set: an RSA key of 2048 bits or more, and a key on P-256, in this order, both private. */
export const isSigningPair = (bytes: Buffer): boolean => {
  try {
    const { keys } = JSON.parse(bytes.toString()) as { readonly keys: readonly JsonWebKey[] };
    if (!Array.isArray(keys) || keys.length !== 2) return false;
    const [rsa, ec] = keys.map((key: JsonWebKey) => createPrivateKey({ key, format: 'jwk' }));
    const bits = rsa?.asymmetricKeyType === 'rsa' ? (rsa.asymmetricKeyDetails?.modulusLength ?? 0) : 0;
    return bits >= RSA_BITS && ec?.asymmetricKeyType === 'ec' && ec.asymmetricKeyDetails?.namedCurve === 'prime256v1';
  } catch {
    return false;
  }
};
