import { createPrivateKey, createPublicKey, hash, type JsonWebKeyInput, type KeyObject } from 'node:crypto';

/** The key of a JWK provisioner of step-ca. */
export interface ProvisionerKey {
  /** A private key of P-256. */
  readonly key: KeyObject;
  /** The `kid` under which step-ca knows it. */
  readonly keyId: string;
}

/** The file does not hold a private key of P-256. */
export class BadProvisionerKey extends Error {}

/**
 * The private key of a provisioner, as a JWK (RFC 7517) or as PEM. Without a `kid` it has the thumbprint (RFC 7638), which `step` takes for it too. Throws
 * {@link BadProvisionerKey}.
 */
export const readProvisionerKey = (text: string): ProvisionerKey => {
  const jwk = text.trimStart().startsWith('{') ? parse(text) : undefined;
  if (jwk && 'ciphertext' in jwk) throw new BadProvisionerKey('must be decrypted: `step crypto jwe decrypt` does it');
  const key = open(jwk ? { key: jwk, format: 'jwk' } : text);
  const { kty, crv, x, y } = createPublicKey(key).export({ format: 'jwk' });
  if (crv !== 'P-256') throw new BadProvisionerKey('must be a key of P-256');
  const { kid } = jwk ?? {};
  return { key, keyId: typeof kid === 'string' && kid !== '' ? kid : hash('sha256', JSON.stringify({ crv, kty, x, y }), 'base64url') };
};

const parse = (text: string): Record<string, string> => {
  try {
    return JSON.parse(text) as Record<string, string>;
  } catch (cause) {
    throw new BadProvisionerKey('must be a JWK or PEM', { cause });
  }
};

const open = (input: JsonWebKeyInput | string): KeyObject => {
  try {
    return createPrivateKey(input);
  } catch (cause) {
    throw new BadProvisionerKey('must be a private key, as a JWK or PEM', { cause });
  }
};
