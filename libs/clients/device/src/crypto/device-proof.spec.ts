import { createHash } from 'node:crypto';

import { compactVerify } from 'jose';

import { pinProof } from '../device/keys.js';
import { deviceProof } from './device-proof.js';
import { makeDeviceKeys } from './web-crypto-keys.js';

const NOW = 1_800_000_000_400;

describe('a device proof', () => {
  it('binds method, path, body and time to the key of an enrolled device', async () => {
    const { authentication: key, stored } = await makeDeviceKeys();
    const proof = await deviceProof({ key, deviceId: 'd1' }, { method: 'POST', path: '/app/v1/x', body: '{"a":1}' }, NOW);
    const { payload, protectedHeader } = await compactVerify(proof, stored.authentication.publicKey);
    expect(protectedHeader).toEqual({ typ: 'device-proof+jwt', alg: 'ES256', kid: 'd1' });
    expect(JSON.parse(new TextDecoder().decode(payload))).toEqual({
      htm: 'POST',
      htu: '/app/v1/x',
      iat: 1_800_000_000,
      jti: expect.stringMatching(/^[A-Za-z0-9_-]{22}$/),
      bsh: createHash('sha256').update('{"a":1}').digest('base64url'),
    });
  });

  it('covers an empty body by the digest of zero bytes', async () => {
    const { authentication: key, stored } = await makeDeviceKeys();
    const proof = await deviceProof({ key, deviceId: 'd1' }, { method: 'GET', path: '/', body: '' }, NOW);
    const { payload } = await compactVerify(proof, stored.authentication.publicKey);
    expect(JSON.parse(new TextDecoder().decode(payload)).bsh).toBe('47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU');
  });

  it('carries the public key, and only that, while there is no device yet', async () => {
    const { authentication: key, stored } = await makeDeviceKeys();
    const proof = await deviceProof({ key, enrolling: true }, { method: 'POST', path: '/app/v1/device', body: '{}' }, NOW);
    const { protectedHeader } = await compactVerify(proof, stored.authentication.publicKey);
    expect(Object.keys(protectedHeader.jwk ?? {}).sort()).toEqual(['crv', 'kty', 'x', 'y']);
    expect(protectedHeader.kid).toBeUndefined();
  });

  it('is never the same twice', async () => {
    const { authentication: key, stored } = await makeDeviceKeys();
    const request = { method: 'GET', path: '/', body: '' };
    const jti = async () =>
      JSON.parse(
        new TextDecoder().decode(
          (await compactVerify(await deviceProof({ key, deviceId: 'd' }, request, NOW), stored.authentication.publicKey)).payload,
        ),
      ).jti;
    expect(await jti()).not.toBe(await jti());
  });
});

describe('the keys of a device', () => {
  it('cannot be exported', async () => {
    const keys = await makeDeviceKeys();
    for (const key of [keys.stored.authentication.privateKey, keys.stored.signing.privateKey, keys.stored.pin]) {
      expect(key.extractable).toBe(false);
      await expect(crypto.subtle.exportKey(key.type === 'secret' ? 'raw' : 'pkcs8', key)).rejects.toMatchObject({ name: 'InvalidAccessError' });
    }
  });

  it('turn a PIN into the same proof each time, and into another on another device', async () => {
    const [one, other] = [await makeDeviceKeys(), await makeDeviceKeys()];
    expect(await pinProof(one.pin, '2580')).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(await pinProof(one.pin, '2580')).toBe(await pinProof(one.pin, '2580'));
    expect(await pinProof(one.pin, '2580')).not.toBe(await pinProof(other.pin, '2580'));
  });
});
