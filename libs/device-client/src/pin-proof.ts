import { createHmac } from 'node:crypto';

/** base64url of HMAC-SHA-256(pinKey, PIN), which the service sees instead of the PIN (specification/app.md#pin-proof). */
export const pinProof = (pinKey: Buffer, pin: string): string => createHmac('sha256', pinKey).update(pin).digest('base64url');
