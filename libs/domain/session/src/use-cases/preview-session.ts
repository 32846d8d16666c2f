import type { Clock, SessionId } from '#kernel';
import { type Device, DeviceLocked } from '#domain/identity';
import type { FindClient } from '#domain/relying-party';

import { assertScannable } from '../domain/assert-scannable.js';
import type { QrFrames } from '../domain/qr-frames.js';
import { SessionNotFound } from '../domain/session.errors.js';
import type { SignatureType } from '../domain/session.events.js';
import { findSessionFor } from '../repositories/find-session-for.js';
import type { Sessions } from '../repositories/sessions.js';

export interface PreviewRequest {
  readonly sessionId: string;
  /** Only for a dynamic code: the seconds of the frame since the session began; `a` is the frame's authenticator. */
  readonly t?: number | undefined;
  readonly a?: string | undefined;
}

/** The facts that the page with the code also shows. */
export interface SessionPreview {
  readonly sessionId: SessionId;
  readonly signatureType: SignatureType;
  readonly relyingPartyName: string;
  /** Host of the redirect URI. Absent where the session has none. */
  readonly relyingPartyDomain?: string;
  /** Only for a dynamic QR code, base64url: this device sends it at the scan in place of the frame, which is too old once the person has decided. */
  readonly admission?: string;
}

/**
 * Tells a phone which relying party asks, before the phone scans the session (specification/app.md#get-session). Changes nothing. Every person gets
 * the same answer: only the scan checks whether the session is meant for this person.
 */
export class PreviewSession {
  constructor(
    private readonly sessions: Sessions,
    private readonly findClient: FindClient,
    private readonly qrFrames: QrFrames,
    private readonly clock: Clock,
  ) {}

  /** Throws DeviceLocked, SessionNotFound, SessionAlreadyScanned, SessionEnded, InvalidQr. */
  async execute({ sessionId, t, a }: PreviewRequest, device: Device): Promise<SessionPreview> {
    if (device.status === 'LOCKED') throw new DeviceLocked(device.lockedUntil);
    const { id, session } = await findSessionFor(device, sessionId, this.sessions);
    const { clientId, signatureType, redirectUri, dynamicQr } = session.terms;
    const client = await this.findClient.execute(clientId);
    if (!client?.enabled) throw new SessionNotFound('the client is disabled or deleted');
    const frame = this.qrFrames.read(id, t, a);
    assertScannable(session, { ...device, frame }, this.clock.now());
    return {
      sessionId: id,
      signatureType,
      relyingPartyName: client.name,
      ...(redirectUri !== undefined && { relyingPartyDomain: new URL(redirectUri).host }),
      ...(session.status === 'PENDING' && dynamicQr && frame && { admission: this.qrFrames.admissionOf(id, device.deviceId) }),
    };
  }
}
