import { constantTimeEqual, type DeviceId, fromBase64url, hmac, InvalidRequest, type KeyRing } from '#kernel';

import type { KeptProof } from '../domain/pin-ladder.js';

/**
 * What the service keeps of `pin_proof`: an HMAC under the pin key ring, bound to the device. Neither the PIN nor
 * anything to guess it from is ever here.
 */
export class PinProofs {
  constructor(private readonly ring: KeyRing) {}

  keep(deviceId: DeviceId, pinProof: string): KeptProof {
    const { id, key } = this.ring.current();
    return { keyId: id, mac: mac(key.reveal(), deviceId, pinProof).toString('base64url') };
  }

  /** In constant time. */
  matches(deviceId: DeviceId, pinProof: string, kept: KeptProof): boolean {
    const key = this.ring.find(kept.keyId);
    if (!key) throw new Error(`no key ${kept.keyId} in the pin key ring`);
    return constantTimeEqual(mac(key.key.reveal(), deviceId, pinProof), Buffer.from(kept.mac, 'base64url'));
  }
}

/** Throws {@link InvalidRequest} for what cannot be an HMAC-SHA-256. */
export const checkPinProof = (pinProof: string): void => {
  if (fromBase64url(pinProof)?.length !== 32) throw new InvalidRequest('`pin_proof` must be 32 bytes in base64url.');
};

const mac = (key: Buffer, deviceId: DeviceId, pinProof: string): Buffer => hmac(key, 'pin-proof', deviceId, pinProof);
