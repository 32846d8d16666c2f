import { StreamTombstoned } from '#event-store';
import type { IdentityId, LocatingTokens, SessionId } from '#kernel';
import { type CheckPin, type Device, DeviceLocked, type FoundDevice, WrongPin } from '#identity';

import type { Lifetimes } from '../domain/lifetimes.js';
import { linkScanOf, type StartedSession } from '../domain/session.js';
import { InvalidSignature, SessionEnded, SessionNotFound, SessionNotScanned } from '../domain/session.errors.js';
import { findSessionFor } from '../repositories/find-session-for.js';
import type { Sessions } from '../repositories/sessions.js';
import type { SigningLog } from '../repositories/signing-log.js';
import type { SigningResults } from '../repositories/signing-results.js';
import type { Statements } from '../repositories/statements.js';
import type { VerifySignature } from './verify-signature.js';

export interface ConfirmRequest {
  readonly sessionId: string;
  /** base64url of HMAC-SHA-256(the phone's pin key, PIN). */
  readonly pinProof: string;
  /** Base64: IEEE P1363 for EC keys, PKCS#1 v1.5 for RSA. */
  readonly signature: string;
}

/** CONFIRMED, or SCANNED while the container of a signature is being built (specification/sessions.md#transitions-of-a-signature). */
export interface Confirmation {
  readonly status: 'CONFIRMED' | 'SCANNED';
  /** Of a hosted login that was opened by a link: the login page, with the return token (specification/login-ui.md#logins-opened-by-a-link). */
  readonly returnUrl?: string;
}

export interface ConfirmSessionDependencies {
  readonly sessions: Sessions;
  readonly checkPin: CheckPin;
  readonly verifySignature: VerifySignature;
  readonly statements: Statements;
  readonly signingLog: SigningLog;
  readonly results: SigningResults;
  readonly lifetimes: Lifetimes;
  readonly returnTokens: LocatingTokens;
  /** The service's login page. */
  readonly loginUrl: string;
}

/**
 * The user approves with the PIN. Order of checks: repetition of a success, lock, session, PIN, signature
 * (specification/app.md#order-of-checks-of-the-phone).
 */
export class ConfirmSession {
  constructor(private readonly dependencies: ConfirmSessionDependencies) {}

  /** Throws SessionNotFound, DeviceLocked, SessionNotScanned, SessionEnded, WrongPin, InvalidSignature. */
  async execute({ sessionId, pinProof, signature }: ConfirmRequest, device: FoundDevice): Promise<Confirmation> {
    const { id, session, loaded } = await findSessionFor(device, sessionId, this.dependencies.sessions);
    const scannedBy = 'scan' in session ? session.scan?.deviceId : undefined;
    const own = scannedBy === device.deviceId;
    if (own && isConfirmed(session)) return this.#confirmation(id, session);

    if (device.status === 'LOCKED') return this.#refuseLocked(id, new DeviceLocked(device.lockedUntil, device.lockedBy), device);
    if (session.status === 'PENDING') throw new SessionNotScanned('session is PENDING');
    if (scannedBy !== undefined && !own) throw new SessionNotFound('scanned by another device');
    if (session.status !== 'SCANNED') throw new SessionEnded(`session is ${session.status}`);

    await this.#assertPin(id, pinProof, device);
    const { terms, scan } = session;
    const statement = await this.dependencies.statements.find(id, scan);
    if (!statement) throw new InvalidSignature('nothing was shown to be signed');
    const verified = await this.dependencies.verifySignature.execute({ terms, scan, toBeSigned: statement.toBeSigned, device, signature });
    const { code: codeTtl, signingBuild: buildTtl } = this.dependencies.lifetimes;
    const command = { type: 'ConfirmSession', deviceId: device.deviceId, codeTtl, buildTtl } as const;
    if (terms.signatureType === 'SIGNING') {
      await this.#storeSignature(id, device.identityId, verified);
      await this.dependencies.sessions.handle(id, command, loaded);
    } else {
      await this.dependencies.sessions.handle(id, { ...command, signature: verified }, loaded);
    }
    return this.#confirmation(id, session);
  }

  #confirmation(sessionId: SessionId, session: StartedSession): Confirmation {
    const { returnTokens, loginUrl } = this.dependencies;
    const scan = linkScanOf(session);
    return {
      status: session.terms.signatureType === 'SIGNING' ? 'SCANNED' : 'CONFIRMED',
      ...(scan && { returnUrl: `${loginUrl.replace(/\/+$/, '')}/#${sessionId}.${returnTokens.make(sessionId, scan.eventId)}` }),
    };
  }

  /** Before the approval: the signature value lies with the result, and an erasure of the person finds it by the log. */
  async #storeSignature(sessionId: SessionId, identityId: IdentityId, signature: string): Promise<void> {
    await this.dependencies.signingLog.add(identityId, sessionId);
    await this.dependencies.results.sign(sessionId, signature).catch((error: unknown) => {
      throw error instanceof StreamTombstoned ? new SessionEnded('the signature was erased') : error;
    });
  }

  async #assertPin(sessionId: SessionId, pinProof: string, device: FoundDevice): Promise<void> {
    const { deviceId, asRead } = device;
    const verdict = await this.dependencies.checkPin.execute({ deviceId, sessionId, pinProof, asRead }).catch((refusal: unknown) => {
      if (refusal instanceof DeviceLocked) return this.#refuseLocked(sessionId, refusal, device);
      throw refusal;
    });
    if (verdict.accepted) return;
    if (verdict.locked) await this.#cancel(sessionId, device);
    throw new WrongPin(verdict.attemptsLeft);
  }

  /** Cancels the session whose wrong PIN locked the device, in case the service crashed between the two. */
  async #refuseLocked(sessionId: SessionId, locked: DeviceLocked, device: Device): Promise<never> {
    if (locked.sessionId === sessionId) await this.#cancel(sessionId, device);
    throw locked;
  }

  async #cancel(sessionId: SessionId, { deviceId }: Device): Promise<void> {
    await this.dependencies.sessions
      .handle(sessionId, { type: 'CancelSession', by: { deviceId }, reason: 'PIN_LOCKED' })
      .catch((refusal: unknown) => {
        if (!(refusal instanceof SessionNotScanned)) throw refusal;
      });
  }
}

const isConfirmed = (session: StartedSession): boolean =>
  session.status === 'CONFIRMED' || session.status === 'COMPLETED' || (session.status === 'SCANNED' && session.approval !== undefined);
