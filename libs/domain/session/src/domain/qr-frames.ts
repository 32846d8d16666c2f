import { createHmac, createSecretKey } from 'node:crypto';

import { constantTimeEqual, type DeviceId, hmac, type Secret, type SessionId } from '#kernel';

/** A frame that a phone has read: seconds since the session was created, and whether its authenticator is right. */
export interface ReadFrame {
  readonly t: number;
  readonly genuine: boolean;
}

/** A frame may be so many seconds younger or older than the session (specification/login-ui.md#dynamic-qr). */
const EARLIEST = -2;
const LATEST = 5;

/** Whether a code with this frame was on the screen just now. Times in epoch milliseconds. */
export const isFresh = ({ t }: ReadFrame, createdAt: number, now: number): boolean => {
  const age = secondsSince(createdAt, now) - t;
  return age >= EARLIEST && age <= LATEST;
};

const secondsSince = (createdAt: number, now: number): number => Math.floor((now - createdAt) / 1000);

/** The frames of QR codes that change each second. Each session has a secret of its own, which is derived and never stored. */
export class QrFrames {
  constructor(
    /** Does not rotate: the secret of a session must stay the same. */
    private readonly key: Secret<Buffer>,
  ) {}

  /** For the client that draws the code itself: base64url, 256 bits. */
  secretOf(sessionId: SessionId): string {
    return hmac(this.key.reveal(), 'qr-secret', sessionId).toString('base64url');
  }

  /** The parameters of the code that is shown at `now`. Times in epoch milliseconds. */
  parametersAt(sessionId: SessionId, createdAt: number, now: number): string {
    const t = secondsSince(createdAt, now);
    return `t=${t}&a=${this.#proof(sessionId, t).toString('base64url')}`;
  }

  /** A frame that a phone has sent; undefined without one. */
  read(sessionId: SessionId, t: number | undefined, a: string | undefined): ReadFrame | undefined {
    if (t === undefined) return undefined;
    return { t, genuine: constantTimeEqual(Buffer.from(a ?? '', 'base64url'), this.#proof(sessionId, t)) };
  }

  /** The value that a device brings to its scan in place of a frame, because it has brought a fresh frame before. base64url. */
  admissionOf(sessionId: SessionId, deviceId: DeviceId): string {
    return this.#admission(sessionId, deviceId).toString('base64url');
  }

  /** Whether this device has brought a fresh frame of this session before. */
  admits(sessionId: SessionId, deviceId: DeviceId, admission: string | undefined): boolean {
    return admission !== undefined && constantTimeEqual(Buffer.from(admission, 'base64url'), this.#admission(sessionId, deviceId));
  }

  #admission(sessionId: SessionId, deviceId: DeviceId): Buffer {
    return hmac(this.key.reveal(), 'qr-admission', sessionId, deviceId);
  }

  #proof(sessionId: SessionId, t: number): Buffer {
    return createHmac('sha256', createSecretKey(this.secretOf(sessionId), 'base64url'))
      .update(`${sessionId}.${t}`)
      .digest();
  }
}
