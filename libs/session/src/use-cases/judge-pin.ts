import type { StreamAppend } from '#event-store';
import { type Clock, epochSeconds, InvalidRequest, parseId, type SessionId } from '#kernel';
import { type CheckPin, type Device, DeviceLocked, type FoundDevice, WrongPin } from '#identity';

import type { StartedSession } from '../domain/session.js';
import { SessionEnded, SessionNotFound, SessionNotScanned, WrongVerificationCode } from '../domain/session.errors.js';
import type { CancelReason } from '../domain/session.events.js';
import type { VerificationCodes } from '../domain/verification-codes.js';
import { findSessionFor } from '../repositories/find-session-for.js';
import type { LoadedSession } from '../repositories/loaded-session.js';
import type { Sessions } from '../repositories/sessions.js';

export interface PinRequest {
  readonly sessionId: string;
  /** base64url of HMAC-SHA-256(the phone's pin key, PIN). */
  readonly pinProof: string;
  /** Of a pushed session: the code that the person chose. */
  readonly verificationCode?: string | undefined;
}

/** The answer to a right PIN. */
export interface AcceptedPin {
  readonly accepted: true;
  /** SIGNING: the time to sign. Epoch seconds. */
  readonly signingTime?: number;
}

interface Judged {
  readonly id: SessionId;
  readonly loaded: LoadedSession;
}

/** The PIN was right, or this device has confirmed the session before. */
export type JudgedSession = Judged &
  (
    | { readonly confirmed: true; readonly session: StartedSession }
    | { readonly confirmed: false; readonly session: Extract<StartedSession, { status: 'SCANNED' }> }
  );

/**
 * Judges the verification code and the PIN of a scanned session. Order of checks: repetition of a success, lock, session, code, PIN
 * (specification/app.md#order-of-checks-of-the-phone).
 */
export class JudgePin {
  constructor(
    private readonly sessions: Sessions,
    private readonly checkPin: CheckPin,
    private readonly verificationCodes: VerificationCodes,
    private readonly clock: Clock,
  ) {}

  /** Throws InvalidRequest, SessionNotFound, DeviceLocked, SessionNotScanned, SessionEnded, WrongVerificationCode, WrongPin. */
  async execute(request: PinRequest, device: FoundDevice): Promise<AcceptedPin> {
    const begun = await this.begin(request, device);
    if (!begun.confirmed) await this.finish(begun.id, request, device);
    return { accepted: true, ...(begun.session.terms.signatureType === 'SIGNING' && { signingTime: epochSeconds(this.clock.now()) }) };
  }

  /** All that precedes the PIN. Throws SessionNotFound, DeviceLocked, SessionNotScanned, SessionEnded, InvalidRequest, WrongVerificationCode. */
  async begin({ sessionId, verificationCode }: PinRequest, device: FoundDevice): Promise<JudgedSession> {
    const { id, session, loaded } = await findSessionFor(device, sessionId, this.sessions);
    const scannedBy = 'scan' in session ? session.scan?.deviceId : undefined;
    const own = scannedBy === device.deviceId;
    if (own && isConfirmed(session)) return { id, session, loaded, confirmed: true };

    if (device.status === 'LOCKED') return this.#refuseLocked(id, new DeviceLocked(device.lockedUntil, device.lockedBy), device);
    if (session.status === 'PENDING') throw new SessionNotScanned('session is PENDING');
    if (scannedBy !== undefined && !own) throw new SessionNotFound('scanned by another device');
    if (session.status !== 'SCANNED') throw new SessionEnded(`session is ${session.status}`);

    if (session.terms.verificationCode) await this.#assertCode(id, verificationCode, device);
    return { id, session, loaded, confirmed: false };
  }

  /**
   * Does the same without a read, for a login that this process has scanned, when the PIN and the code are right. Only a change since the scan could be a
   * reason to refuse then, and the append of the confirmation fails after such a change. Undefined when {@link begin} has to decide.
   */
  beginOnWritten(request: PinRequest, device: FoundDevice): JudgedSession | undefined {
    const id = parseId<SessionId>(request.sessionId);
    if (!id || device.status !== 'ACTIVE') return undefined;
    return this.sessions.judgeWritten(id, ({ session, loaded }) => {
      if (session.status !== 'SCANNED' || session.scan.deviceId !== device.deviceId) return undefined;
      const { verificationCode: choice } = request;
      if (session.terms.verificationCode && (choice === undefined || !this.verificationCodes.isShown(id, choice))) return undefined;
      return this.propose(id, request, device) && { id, session, loaded, confirmed: false };
    });
  }

  /** Without a choice nothing is decided; a wrong one ends the session, and the PIN is not judged. */
  async #assertCode(sessionId: SessionId, choice: string | undefined, device: Device): Promise<void> {
    if (choice === undefined) throw new InvalidRequest('`verification_code` is required: the code that the waiting page shows.');
    if (this.verificationCodes.isShown(sessionId, choice)) return;
    await this.#cancel(sessionId, device, 'WRONG_CODE');
    throw new WrongVerificationCode('another code was chosen');
  }

  /** The append of the PIN when it is right: {@link CheckPin.propose}. */
  propose(sessionId: SessionId, { pinProof }: PinRequest, { deviceId, asRead }: FoundDevice): StreamAppend | undefined {
    return asRead && this.checkPin.propose({ deviceId, sessionId, pinProof, asRead });
  }

  /** Judges the PIN of the session that {@link begin} has answered. Throws DeviceLocked, WrongPin, InvalidRequest. */
  async finish(sessionId: SessionId, { pinProof }: PinRequest, device: FoundDevice): Promise<void> {
    const { deviceId, asRead } = device;
    const verdict = await this.checkPin.execute({ deviceId, sessionId, pinProof, asRead }).catch((refusal: unknown) => {
      if (refusal instanceof DeviceLocked) return this.#refuseLocked(sessionId, refusal, device);
      throw refusal;
    });
    if (verdict.accepted) return;
    if (verdict.locked) await this.#cancel(sessionId, device, 'PIN_LOCKED');
    throw new WrongPin(verdict.attemptsLeft);
  }

  /** Cancels the session whose wrong PIN locked the device, in case the service crashed between the two. */
  async #refuseLocked(sessionId: SessionId, locked: DeviceLocked, device: Device): Promise<never> {
    if (locked.sessionId === sessionId) await this.#cancel(sessionId, device, 'PIN_LOCKED');
    throw locked;
  }

  async #cancel(sessionId: SessionId, { deviceId }: Device, reason: CancelReason): Promise<void> {
    await this.sessions.handle(sessionId, { type: 'CancelSession', by: { deviceId }, reason }).catch((refusal: unknown) => {
      if (!(refusal instanceof SessionNotScanned)) throw refusal;
    });
  }
}

const isConfirmed = (session: StartedSession): boolean =>
  session.status === 'CONFIRMED' || session.status === 'COMPLETED' || (session.status === 'SCANNED' && session.approval !== undefined);
