import { type Streams, StreamTombstoned, type UnitOfWork } from '#engines/event-store';
import { atSigningTime } from '#signatures/asic';
import { type Clock, type DomainError, epochSeconds, InvalidRequest, type LocatingTokens } from '#kernel';
import { type CheckPin, type Device, DeviceLocked, type EnrolmentProof, WrongPin } from '#domain/identity';

import type { FinishNumbers } from '../domain/finish-numbers.js';
import type { Lifetimes } from '../domain/lifetimes.js';
import { linkScanOf, type Scan, type StartedSession, takesNumber } from '../domain/session.js';
import { InvalidSignature, SessionEnded, SessionNotFound, SessionNotScanned, WrongVerificationCode } from '../domain/session.errors.js';
import type { CancelReason } from '../domain/session.events.js';
import type { VerificationCodes } from '../domain/verification-codes.js';
import { findSessionIn } from '../repositories/find-session-for.js';
import type { SessionInWork, Sessions } from '../repositories/sessions.js';
import type { SigningLog } from '../repositories/signing-log.js';
import type { SigningResults, TimedAttributes } from '../repositories/signing-results.js';
import type { Statements, StoredStatement } from '../repositories/statements.js';
import type { VerifySignature } from './verify-signature.js';

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
  /** For SIGNING: the time of the PIN, which the phone signs as signing-time. Epoch seconds. */
  readonly signingTime?: number;
}

interface Signed {
  /** Base64: IEEE P1363 for EC keys, PKCS#1 v1.5 for RSA. */
  readonly signature: string;
  /** SIGNING: the time in the signed attributes, if it differs from that of the scan. Epoch seconds. */
  readonly signingTime?: number | undefined;
}

export type ConfirmRequest = PinRequest & Signed;

/** CONFIRMED, or SCANNED while the container of a signature is being built (specification/sessions.md#transitions-of-a-signature). */
export interface Confirmation {
  readonly status: 'CONFIRMED' | 'SCANNED';
  /**
   * For a hosted login that was opened by a link: the address at which the browser of this device goes on, with the return token (specification/login-ui.md#logins-opened-by-a-link).
   *
   * @format uri
   */
  readonly returnUrl?: string;
  /** For such a login of a client with finish_by_number: six digits, which the person types only into the browser on this phone (specification/login-ui.md#finishing-by-a-number). */
  readonly number?: string;
}

export interface ConfirmSessionDependencies {
  readonly unitOfWork: UnitOfWork;
  readonly sessions: Sessions;
  readonly checkPin: Pick<CheckPin, 'in'>;
  readonly enrolmentProof: Pick<EnrolmentProof, 'presentIn'>;
  readonly verificationCodes: VerificationCodes;
  readonly verifySignature: VerifySignature;
  readonly statements: Statements;
  readonly signingLog: SigningLog;
  readonly results: SigningResults;
  readonly lifetimes: Lifetimes;
  readonly clock: Clock;
  readonly returnTokens: LocatingTokens;
  readonly finishNumbers: FinishNumbers;
  /** The service's login page. */
  readonly loginUrl: string;
}

/** A document's signature that was verified, and is still to be stored. */
interface VerifiedDocument {
  readonly signature: string;
  readonly timed: TimedAttributes | undefined;
}

/** All checks have passed. `document` only where there is still something to store. */
interface Approved {
  readonly session: SessionInWork;
  readonly document?: VerifiedDocument;
}

/** A refusal that takes effect only once the decisions of its work are stored: a wrong PIN counts, and a session ends. */
interface Refused {
  readonly refusal: DomainError;
  /** The session is to be cancelled after it. */
  readonly cancel?: SessionInWork;
}

/** The clocks of phones and replicas may differ by this time, as in a device proof. Milliseconds. */
const CLOCK_DIFFERENCE = 60_000;

/** The user approves on the phone that has scanned the session: with the PIN, and with the signature of what was shown. */
export class ConfirmSession {
  constructor(private readonly dependencies: ConfirmSessionDependencies) {}

  /** Throws DeviceNotFound, SessionNotFound, DeviceLocked, SessionNotScanned, SessionEnded, InvalidRequest, WrongVerificationCode, WrongPin, InvalidSignature. */
  async execute(request: ConfirmRequest, device: Device): Promise<Confirmation> {
    const { session, document } = await this.#decided(request, device, request);
    if (document) await this.#approveDocument(session, document, device);
    return this.#confirmation(session);
  }

  /** Judges the PIN alone, before the phone signs anything. Throws as {@link execute}, but no InvalidSignature. */
  async judgePin(request: PinRequest, device: Device): Promise<AcceptedPin> {
    const { session } = await this.#decided(request, device);
    const isSigning = session.found.terms.signatureType === 'SIGNING';
    return { accepted: true, ...(isSigning && { signingTime: epochSeconds(this.dependencies.clock.now()) }) };
  }

  async #decided(request: PinRequest, device: Device, signed?: Signed): Promise<Approved> {
    const { unitOfWork, sessions } = this.dependencies;
    const outcome = await unitOfWork.run((streams) => this.#decide(streams, request, device, signed));
    if (!('refusal' in outcome)) return outcome;
    const { refusal, cancel } = outcome;
    if (cancel) await sessions.handle(cancel.id, cancellation(device, 'PIN_LOCKED')).catch(unlessNotScanned);
    throw refusal;
  }

  /** The order of checks: repetition of a success, lock, session, code, PIN, signature (specification/app.md#order-of-checks-of-the-phone). */
  async #decide(streams: Streams, request: PinRequest, sender: Device, signed: Signed | undefined): Promise<Approved | Refused> {
    const device = await this.dependencies.enrolmentProof.presentIn(streams, sender);
    const session = await findSessionIn(streams, device, request.sessionId, this.dependencies.sessions);
    const { found } = session;
    const scannedBy = 'scan' in found ? found.scan?.deviceId : undefined;
    const own = scannedBy === device.deviceId;
    if (own && isConfirmed(found)) return { session };

    if (device.status === 'LOCKED') return refuseLocked(streams, session, new DeviceLocked(device.lockedUntil, device.lockedBy), device);
    if (found.status === 'PENDING') throw new SessionNotScanned('session is PENDING');
    if (scannedBy !== undefined && !own) throw new SessionNotFound('scanned by another device');
    if (found.status !== 'SCANNED') throw new SessionEnded(`session is ${found.status}`);

    const wrongCode = this.#wrongCode(streams, session, request, device);
    if (wrongCode) return { refusal: wrongCode };

    const pin = await this.#judgePin(streams, session, request, device);
    if (pin) return pin;
    if (!signed) return { session };
    const { terms, scan } = found;
    const verified = await this.#verified(session, scan, signed, device).catch((error: unknown) => {
      if (!(error instanceof InvalidSignature)) throw error;
      // The right PIN counts all the same.
      streams.onReads();
      return error;
    });
    if (verified instanceof InvalidSignature) return { refusal: verified };
    if (terms.signatureType === 'SIGNING') return { session, document: verified };
    session.decide(this.#approval(device, verified.signature));
    return { session };
  }

  /** Without a choice nothing is decided; a wrong one ends the session, and the PIN is not judged. */
  #wrongCode(streams: Streams, session: SessionInWork, { verificationCode: choice }: PinRequest, device: Device): WrongVerificationCode | undefined {
    if (!session.found.terms.verificationCode) return undefined;
    if (choice === undefined) throw new InvalidRequest('`verification_code` is required: the code that the waiting page shows.');
    if (this.dependencies.verificationCodes.isShown(session.id, choice)) return undefined;
    streams.onReads();
    session.decide(cancellation(device, 'WRONG_CODE'));
    return new WrongVerificationCode('another code was chosen');
  }

  /** Undefined for a right PIN. */
  async #judgePin(streams: Streams, session: SessionInWork, { pinProof }: PinRequest, device: Device): Promise<Refused | undefined> {
    const { deviceId } = device;
    try {
      const verdict = await this.dependencies.checkPin.in(streams, { deviceId, sessionId: session.id, pinProof });
      if (verdict.accepted) return undefined;
      // The verdict is stored first, also where the session changes at the same moment: it is not judged again.
      return { refusal: new WrongPin(verdict.attemptsLeft), ...(verdict.locked && { cancel: session }) };
    } catch (refusal) {
      if (refusal instanceof DeviceLocked) return refuseLocked(streams, session, refusal, device);
      throw refusal;
    }
  }

  /** The signature, which the device has made over what was shown. Throws InvalidSignature. */
  async #verified(session: SessionInWork, scan: Scan, { signature, signingTime }: Signed, device: Device): Promise<VerifiedDocument> {
    const { statements, verifySignature } = this.dependencies;
    const statement = await statements.find(session.id, scan);
    if (!statement) throw new InvalidSignature('nothing was shown to be signed');
    const timed = this.#timed(statement, signingTime);
    const { toBeSigned } = timed ?? statement;
    return { signature: await verifySignature.execute({ terms: session.found.terms, scan, toBeSigned, device, signature }), timed };
  }

  #approval({ deviceId }: Device, signature?: string) {
    const { code: codeTtl, signingBuild: buildTtl } = this.dependencies.lifetimes;
    return { type: 'ConfirmSession', deviceId, codeTtl, buildTtl, ...(signature !== undefined && { signature }) } as const;
  }

  #confirmation({ id, found, state }: SessionInWork): Confirmation {
    const { returnTokens, finishNumbers, loginUrl, clock } = this.dependencies;
    const scan = linkScanOf(found);
    return {
      status: found.terms.signatureType === 'SIGNING' ? 'SCANNED' : 'CONFIRMED',
      ...(scan && { returnUrl: `${loginUrl.replace(/\/+$/, '')}/#${id}.${returnTokens.make(id, scan.eventId)}` }),
      ...(takesNumber(state, clock.now()) && { number: finishNumbers.shown(state.grant.eventId) }),
    };
  }

  /** The attributes of the scan with the time that the phone has signed. It lies between the scan and now. Undefined for a login, which has no such time. */
  #timed({ toBeSigned, signingTime: scannedAt }: StoredStatement, seconds: number | undefined): TimedAttributes | undefined {
    if (seconds === undefined || scannedAt === undefined) return undefined;
    const signingTime = seconds * 1000;
    if (signingTime < scannedAt - CLOCK_DIFFERENCE || signingTime > this.dependencies.clock.now() + CLOCK_DIFFERENCE)
      throw new InvalidSignature('the signing time is not between scan and confirmation');
    return { toBeSigned: atSigningTime(Buffer.from(toBeSigned, 'base64'), signingTime).toString('base64'), signingTime };
  }

  /**
   * The signature value is stored with the result, and noted in the log by which an erasure of the person finds it, before the approval. When the session has
   * ended meanwhile, nothing that was signed for it stays.
   */
  async #approveDocument({ id }: SessionInWork, { signature, timed }: VerifiedDocument, device: Device): Promise<void> {
    const { sessions, signingLog, results } = this.dependencies;
    await signingLog.add(device.identityId, id);
    await results.sign(id, signature, timed).catch((error: unknown) => {
      throw error instanceof StreamTombstoned ? new SessionEnded('the signature was erased') : error;
    });
    await sessions.handle(id, this.#approval(device)).catch(async (refusal: unknown) => {
      if (refusal instanceof SessionEnded) await results.discard(id);
      throw refusal;
    });
  }
}

/** Cancels the session whose wrong PIN locked the device, in case the service crashed between the two. */
const refuseLocked = (streams: Streams, session: SessionInWork, locked: DeviceLocked, device: Device): Refused => {
  streams.onReads();
  if (locked.sessionId !== session.id) return { refusal: locked };
  try {
    session.decide(cancellation(device, 'PIN_LOCKED'));
  } catch (refusal) {
    unlessNotScanned(refusal);
  }
  return { refusal: locked };
};

const cancellation = ({ deviceId }: Device, reason: CancelReason) => ({ type: 'CancelSession', by: { deviceId }, reason }) as const;

const unlessNotScanned = (refusal: unknown): void => {
  if (!(refusal instanceof SessionNotScanned)) throw refusal;
};

const isConfirmed = (session: StartedSession): boolean =>
  session.status === 'CONFIRMED' || session.status === 'COMPLETED' || (session.status === 'SCANNED' && session.approval !== undefined);
