import { type KeyObject, verify } from 'node:crypto';

const COORDINATE = 32;

/**
 * Whether the signature (r ‖ s, 64 bytes) is the P-256 key's over the content: ES256, RFC 7518 section 3.4. Works in the thread pool. OpenSSL is handed the
 * signature in DER, since Node takes 30 µs to turn the other form into it.
 */
export const verifyEs256 = (key: KeyObject, content: Uint8Array, signature: Uint8Array): Promise<boolean> => {
  if (signature.length !== 2 * COORDINATE) return Promise.resolve(false);
  return new Promise((resolve, reject) => {
    verify('sha256', content, key, ecdsaSignature(signature), (error, isValid) => (error ? reject(error) : resolve(isValid)));
  });
};

/** Ecdsa-Sig-Value (RFC 3279 section 2.2.3): a SEQUENCE of two INTEGERs, each without needless zeros in front and with one where the top bit is set. */
const ecdsaSignature = (signature: Uint8Array): Uint8Array => {
  const parts = [signature.subarray(0, COORDINATE), signature.subarray(COORDINATE)].map((number) => {
    const first = number.findIndex((byte) => byte !== 0);
    const digits = first < 0 ? number.subarray(-1) : number.subarray(first);
    return { digits, zeros: (digits[0] as number) >= 0x80 ? 1 : 0 };
  });
  const length = parts.reduce((sum, { digits, zeros }) => sum + 2 + zeros + digits.length, 0);
  const der = new Uint8Array(2 + length);
  der.set([0x30, length]);
  let at = 2;
  for (const { digits, zeros } of parts) {
    der.set([0x02, zeros + digits.length], at);
    at += 2 + zeros;
    der.set(digits, at);
    at += digits.length;
  }
  return der;
};
