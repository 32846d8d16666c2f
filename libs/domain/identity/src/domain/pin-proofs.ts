import { constantTimeEqual, type DeviceId, fromBase64url, hmac, InvalidRequest, type KeyRing } from '#kernel';

import type { SealedProof } from './pin-ladder.js';

/**
 * Makes and compares the stored form of `pin_proof`: an HMAC under the pin key ring, bound to the device. The service never
 * holds the PIN, nor anything to guess it from.
 */
export class PinProofs {
  constructor(private readonly ring: KeyRing) {}

  seal(deviceId: DeviceId, pinProof: string): SealedProof {
    const { id, key } = this.ring.current();
    return { keyId: id, mac: mac(key.reveal(), deviceId, pinProof).toString('base64url') };
  }

  /** Whether the proof is the sealed one; compares in constant time. Throws when the key ring lacks the key. */
  matches(deviceId: DeviceId, pinProof: string, sealed: SealedProof): boolean {
    const key = this.ring.find(sealed.keyId);
    if (!key) throw new Error(`no key ${sealed.keyId} in the pin key ring`);
    return constantTimeEqual(mac(key.key.reveal(), deviceId, pinProof), Buffer.from(sealed.mac, 'base64url'));
  }
}

/** Throws {@link InvalidRequest} unless the proof has the length of an HMAC-SHA-256. */
export const checkPinProof = (pinProof: string): void => {
  if (fromBase64url(pinProof)?.length !== 32) throw new InvalidRequest('`pin_proof` must be 32 bytes in base64url.');
};

const mac = (key: Buffer, deviceId: DeviceId, pinProof: string): Buffer => hmac(key, 'pin-proof', deviceId, pinProof);
