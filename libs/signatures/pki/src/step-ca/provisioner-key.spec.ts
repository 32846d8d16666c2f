import { describe, expect, it } from '@jest/globals';

import { newKey } from '#testkit/pki/signing-requests';
import { BadProvisionerKey, readProvisionerKey } from './provisioner-key.js';

/** RFC 7517 §A.2. */
const JWK = {
  kty: 'EC',
  crv: 'P-256',
  x: 'MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4',
  y: '4Etl6SRW2YiLUrN5vfvVHuhp7x8PxltmWWlbbM4IFyM',
  d: '870MB6gfuTJ4HtUnUvYMyJpr5eUZNP4Bk43bVdj3eAE',
};
const pem = (type: 'P-256' | 'P-384'): string => newKey[type]().privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();

describe('the key of a provisioner', () => {
  it('has the id of its JWK, or its thumbprint', () => {
    expect(readProvisionerKey(JSON.stringify({ ...JWK, kid: 'mine' })).keyId).toBe('mine');
    const { keyId, key } = readProvisionerKey(JSON.stringify(JWK));
    expect(keyId).toBe('cn-I_WNMClehiVp51i_0VpOENW1upEerA8sEam5hn-s');
    expect(readProvisionerKey(key.export({ format: 'pem', type: 'sec1' }).toString()).keyId).toBe(keyId);
  });

  it.each([
    ['another curve', pem('P-384'), /must be a key of P-256/],
    ['a public key', JSON.stringify({ ...JWK, d: undefined }), /must be a private key/],
    ['an encrypted key', JSON.stringify({ protected: '', ciphertext: '' }), /must be decrypted/],
    ['something else', 'hello', /must be a private key, as a JWK or PEM/],
    ['broken JSON', '{', /must be a JWK or PEM/],
  ])('is refused as %s', (_, text, message) => {
    expect(() => readProvisionerKey(text)).toThrow(BadProvisionerKey);
    expect(() => readProvisionerKey(text)).toThrow(message);
  });
});
