import { type DeviceId, hmac, type Secret, type SessionId } from '#kernel';

/**
 * The record of a device whose scan the session refused: enough to record it once. The session belongs to another person, so an erasure
 * of the device's owner does not find it. A keyed hash of session and device leads to no device, and to no other session.
 */
export class RefusedDevices {
  constructor(
    /** Does not rotate: a repeated scan must give the hash of the first one. */
    private readonly key: Secret<Buffer>,
  ) {}

  /** Base64url. */
  hashOf(sessionId: SessionId, deviceId: DeviceId): string {
    return hmac(this.key.reveal(), 'refused-device', sessionId, deviceId).toString('base64url');
  }
}
