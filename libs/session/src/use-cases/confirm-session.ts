import type { SessionId } from '#kernel';
import { type CheckPin, type Device, DeviceLocked, WrongPin } from '#identity';

import type { Lifetimes } from '../domain/lifetimes.js';
import type { StartedSession } from '../domain/session.js';
import { SessionEnded, SessionNotFound, SessionNotScanned } from '../domain/session.errors.js';
import { findSessionFor } from './find-session-for.js';
import type { Sessions } from './sessions.js';
import type { SigningLog } from './signing-log.js';
import type { VerifySignature } from './verify-signature.js';

export interface ConfirmRequest {
  readonly sessionId: string;
  /** base64url of HMAC-SHA-256(the phone's pin key, PIN). */
  readonly pinProof: string;
  /** Base64: IEEE P1363 for EC keys, PKCS#1 v1.5 for RSA. */
  readonly signature: string;
}

/** CONFIRMED, or SCANNED while the container of a signature is being built (api-extensions 1.2). */
export interface Confirmation {
  readonly status: 'CONFIRMED' | 'SCANNED';
}

/**
 * The user approves with the PIN. Order of checks: repetition of what succeeded, lock, session, PIN, signature
 * (api-extensions 4).
 */
export class ConfirmSession {
  constructor(
    private readonly sessions: Sessions,
    private readonly checkPin: CheckPin,
    private readonly verifySignature: VerifySignature,
    private readonly signingLog: SigningLog,
    private readonly lifetimes: Lifetimes,
  ) {}

  /** Throws SessionNotFound, DeviceLocked, SessionNotScanned, SessionEnded, WrongPin, InvalidSignature. */
  async execute({ sessionId, pinProof, signature }: ConfirmRequest, device: Device): Promise<Confirmation> {
    const { id, session } = await findSessionFor(device, sessionId, this.sessions);
    const scannedBy = 'scan' in session ? session.scan?.deviceId : undefined;
    const own = scannedBy === device.deviceId;
    if (own && isConfirmed(session)) return confirmation(session);

    if (device.status === 'LOCKED') return this.#refuseLocked(id, new DeviceLocked(device.lockedUntil, device.lockedBy), device);
    if (session.status === 'PENDING') throw new SessionNotScanned('session is PENDING');
    if (scannedBy !== undefined && !own) throw new SessionNotFound('scanned by another device');
    if (session.status !== 'SCANNED') throw new SessionEnded(`session is ${session.status}`);

    await this.#assertPin(id, pinProof, device);
    const { terms, scan } = session;
    const verified = await this.verifySignature.execute({ sessionId: id, terms, scan, device, signature });
    if (terms.signatureType === 'SIGNING') await this.signingLog.note(device.identityId, id);
    const { code: codeTtl, signingBuild: buildTtl } = this.lifetimes;
    await this.sessions.handle(id, { type: 'ConfirmSession', deviceId: device.deviceId, signature: verified, codeTtl, buildTtl });
    return confirmation(session);
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
}

const isConfirmed = (session: StartedSession): boolean =>
  session.status === 'CONFIRMED' || session.status === 'COMPLETED' || (session.status === 'SCANNED' && session.approval !== undefined);

const confirmation = ({ terms }: StartedSession): Confirmation => ({ status: terms.signatureType === 'SIGNING' ? 'SCANNED' : 'CONFIRMED' });
