import { createPublicKey, type JsonWebKey, verify } from 'node:crypto';

import { fromBase64, type Sealer, type SessionId } from '#kernel';
import { type CheckPin, type Device, DeviceLocked, WrongPin } from '#identity';

import type { Lifetimes } from '../domain/lifetimes.js';
import type { SealedScan } from '../domain/sealed-terms.js';
import type { StartedSession } from '../domain/session.js';
import { InvalidSignature, SessionEnded, SessionNotFound, SessionNotScanned } from '../domain/session.errors.js';
import { findSessionFor } from './find-session-for.js';
import { type Sessions, sessionStream } from './sessions.js';

export interface ConfirmRequest {
  readonly sessionId: string;
  /** base64url of HMAC-SHA-256(the phone's pin key, PIN). */
  readonly pinProof: string;
  /** Base64, IEEE P1363. */
  readonly signature: string;
}

/**
 * The user approves with the PIN. Order of checks: repetition of what succeeded, lock, session, PIN, signature
 * (api-extensions 4).
 */
export class ConfirmSession {
  constructor(
    private readonly sessions: Sessions,
    private readonly checkPin: CheckPin,
    private readonly sealer: Sealer,
    private readonly lifetimes: Lifetimes,
  ) {}

  /** Throws SessionNotFound, DeviceLocked, SessionNotScanned, SessionEnded, WrongPin, InvalidSignature. */
  async execute({ sessionId, pinProof, signature }: ConfirmRequest, device: Device): Promise<{ status: 'CONFIRMED' }> {
    const { id, session } = await findSessionFor(device, sessionId, this.sessions);
    const scannedBy = 'scan' in session ? session.scan?.deviceId : undefined;
    const own = scannedBy === device.deviceId;
    if ((session.status === 'CONFIRMED' || session.status === 'COMPLETED') && own) return { status: 'CONFIRMED' };

    if (device.status === 'LOCKED') return this.#refuseLocked(id, new DeviceLocked(device.lockedUntil, device.lockedBy), device);
    if (session.status === 'PENDING') throw new SessionNotScanned('session is PENDING');
    if (scannedBy !== undefined && !own) throw new SessionNotFound('scanned by another device');
    if (session.status !== 'SCANNED') throw new SessionEnded(`session is ${session.status}`);

    await this.#assertPin(id, pinProof, device);
    this.#assertSignature(id, session, signature, device);
    const command = { type: 'ConfirmSession', deviceId: device.deviceId, signature, codeTtl: this.lifetimes.code } as const;
    await this.sessions.handle(id, command);
    return { status: 'CONFIRMED' };
  }

  async #assertPin(sessionId: SessionId, pinProof: string, device: Device): Promise<void> {
    const verdict = await this.checkPin.execute({ deviceId: device.deviceId, sessionId, pinProof }).catch((refusal: unknown) => {
      if (refusal instanceof DeviceLocked) return this.#refuseLocked(sessionId, refusal, device);
      throw refusal;
    });
    if (verdict.accepted) return;
    if (verdict.locked) await this.#cancel(sessionId, device);
    throw new WrongPin(verdict.attemptsLeft);
  }

  /** Makes good what a crash between the third wrong PIN and the cancellation left out. */
  async #refuseLocked(sessionId: SessionId, locked: DeviceLocked, device: Device): Promise<never> {
    if (locked.sessionId === sessionId) await this.#cancel(sessionId, device);
    throw locked;
  }

  async #cancel(sessionId: SessionId, { deviceId }: Device): Promise<void> {
    await this.sessions.handle(sessionId, { type: 'CancelSession', by: { deviceId }, reason: 'PIN_LOCKED' }).catch((refusal: unknown) => {
      if (!(refusal instanceof SessionNotScanned)) throw refusal;
    });
  }

  #assertSignature(sessionId: SessionId, session: StartedSession & { status: 'SCANNED' }, signature: string, device: Device): void {
    const bytes = fromBase64(signature);
    if (bytes?.length !== 64) throw new InvalidSignature('not 64 bytes in base64');
    const { toBeSigned } = this.sealer.open<SealedScan>(session.scan.sealed, sessionStream(sessionId));
    const key = createPublicKey({ key: device.authenticationKey as JsonWebKey, format: 'jwk' });
    const genuine = verify('sha256', Buffer.from(toBeSigned, 'base64'), { key, dsaEncoding: 'ieee-p1363' }, bytes);
    if (!genuine) throw new InvalidSignature('does not verify');
  }
}
