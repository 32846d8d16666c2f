import type { Bytes } from '../crypto/bytes.js';
import { toBase64url, utf8 } from '../crypto/bytes.js';

/** RFC 7518 section 3.1. */
export type SignatureAlgorithm = 'ES256' | 'ES384' | 'RS512';

/**
 * A private key that stays where it is: in the Secure Enclave, in StrongBox, in a browser. It can be used and never read.
 * A call may ask the person for a fingerprint; it rejects when the key is gone or was not released.
 */
export interface SigningKey {
  readonly algorithm: SignatureAlgorithm;
  /** The public key as SubjectPublicKeyInfo (RFC 5280 section 4.1.2.7), DER. */
  publicKey(): Promise<Bytes>;
  /** Hashes and signs: of an EC key r‖s (IEEE P1363), which is not the DER that mobile systems give ({@link fromDerSignature}). */
  sign(bytes: Bytes): Promise<Bytes>;
}

/** 256 random bits, which turn the PIN into a proof. */
export interface PinKey {
  /** HMAC-SHA-256. */
  hmac(bytes: Bytes): Promise<Bytes>;
}

/** The key operations of a device, which an app implements by its system's key store. */
export interface DeviceKeys {
  /** ES256: proves each request and signs confirmed logins. */
  readonly authentication: SigningKey;
  /** Certified by the service: signs documents. */
  readonly signing: SigningKey;
  readonly pin: PinKey;
}

/** The `pin_proof` of specification/app.md#pin-proof. */
export const pinProof = async (key: PinKey, pin: string): Promise<string> => toBase64url(await key.hmac(utf8(pin)));
