import { createHmac, createPublicKey, type KeyObject, sign } from 'node:crypto';

import type { DeviceKeys, SignatureAlgorithm, SigningKey } from '#clients/device';
import type { PhoneKeys } from './phone-keys.js';

const HASHES: Readonly<Record<SignatureAlgorithm, string>> = { ES256: 'sha256', ES384: 'sha384', RS512: 'sha512' };

/** What an app's key store does, by the keys of a phone in software. */
export const keyOperations = ({ authentication, signing, pinKey }: PhoneKeys): DeviceKeys => ({
  authentication: signingKey(authentication),
  signing: signingKey(signing),
  pin: { hmac: async (bytes) => new Uint8Array(createHmac('sha256', pinKey).update(bytes).digest()) },
});

const signingKey = (key: KeyObject): SigningKey => {
  const algorithm = algorithmOf(key);
  return {
    algorithm,
    publicKey: async () => new Uint8Array(createPublicKey(key).export({ format: 'der', type: 'spki' })),
    sign: async (bytes) => new Uint8Array(sign(HASHES[algorithm], bytes, { key, dsaEncoding: 'ieee-p1363' })),
  };
};

const algorithmOf = (key: KeyObject): SignatureAlgorithm => {
  if (key.asymmetricKeyType === 'rsa') return 'RS512';
  return key.asymmetricKeyDetails?.namedCurve === 'secp384r1' ? 'ES384' : 'ES256';
};
