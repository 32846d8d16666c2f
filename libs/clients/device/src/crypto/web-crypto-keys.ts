import type { DeviceKeys, PinKey, SigningKey } from '../device/keys.js';
import type { Bytes } from './bytes.js';

type CryptoKey = Parameters<typeof crypto.subtle.exportKey>[1];

interface KeyPair {
  readonly privateKey: CryptoKey;
  readonly publicKey: CryptoKey;
}

/** The three secrets of a device in a browser. None can be exported, not even by the page itself; IndexedDB stores them. */
export interface StoredKeys {
  /** ES256: device proofs and confirmed logins. */
  readonly authentication: KeyPair;
  /** ES256, certified: documents. */
  readonly signing: KeyPair;
  /** HMAC-SHA-256. */
  readonly pin: CryptoKey;
}

const P256 = { name: 'ECDSA', namedCurve: 'P-256' } as const;
const ES256 = { name: 'ECDSA', hash: 'SHA-256' } as const;

/** The key operations of Web Crypto. */
export class WebCryptoKeys implements DeviceKeys {
  readonly authentication: SigningKey;
  readonly signing: SigningKey;
  readonly pin: PinKey;

  constructor(readonly stored: StoredKeys) {
    this.authentication = es256Key(stored.authentication);
    this.signing = es256Key(stored.signing);
    this.pin = { hmac: async (bytes) => new Uint8Array(await crypto.subtle.sign('HMAC', stored.pin, bytes)) };
  }
}

/** New keys, which cannot be exported. */
export const makeDeviceKeys = async (): Promise<WebCryptoKeys> =>
  new WebCryptoKeys({
    authentication: await crypto.subtle.generateKey(P256, false, ['sign', 'verify']),
    signing: await crypto.subtle.generateKey(P256, false, ['sign', 'verify']),
    pin: await crypto.subtle.generateKey({ name: 'HMAC', hash: 'SHA-256', length: 256 }, false, ['sign']),
  });

const es256Key = ({ privateKey, publicKey }: KeyPair): SigningKey => ({
  algorithm: 'ES256',
  publicKey: async () => new Uint8Array(await crypto.subtle.exportKey('spki', publicKey)),
  // r‖s (IEEE P1363), as JWS and the service want it.
  sign: async (bytes: Bytes) => new Uint8Array(await crypto.subtle.sign(ES256, privateKey, bytes)),
});
