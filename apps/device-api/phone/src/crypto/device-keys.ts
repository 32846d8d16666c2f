import { type Bytes, toBase64, toBase64url, utf8 } from './bytes.js';

/** The three secrets of a device. None can be exported from the browser, not even by this page. */
export interface DeviceKeys {
  /** ES256: device proofs and confirmed logins. */
  readonly authentication: CryptoKeyPair;
  /** ES256, certified: documents. */
  readonly signing: CryptoKeyPair;
  /** HMAC-SHA-256: turns the PIN into a proof from which the PIN cannot be guessed without this device. */
  readonly pin: CryptoKey;
}

const P256 = { name: 'ECDSA', namedCurve: 'P-256' } as const;
const ES256 = { name: 'ECDSA', hash: 'SHA-256' } as const;

export const makeDeviceKeys = async (): Promise<DeviceKeys> => ({
  authentication: await crypto.subtle.generateKey(P256, false, ['sign', 'verify']),
  signing: await crypto.subtle.generateKey(P256, false, ['sign', 'verify']),
  pin: await crypto.subtle.generateKey({ name: 'HMAC', hash: 'SHA-256', length: 256 }, false, ['sign']),
});

/** r‖s (IEEE P1363), as JWS and the service want it. */
export const signEs256 = async (key: CryptoKey, bytes: Bytes): Promise<Bytes> => new Uint8Array(await crypto.subtle.sign(ES256, key, bytes));

export const signatureText = async (keys: CryptoKeyPair, bytes: Bytes): Promise<string> => toBase64(await signEs256(keys.privateKey, bytes));

/** The `pin_proof` of specification/app.md#pin-proof. */
export const pinProof = async (key: CryptoKey, pin: string): Promise<string> =>
  toBase64url(new Uint8Array(await crypto.subtle.sign('HMAC', key, utf8(pin))));
