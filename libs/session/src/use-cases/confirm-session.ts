import { StreamTombstoned } from '#event-store';
import { atSigningTime } from '#asic';
import type { Clock, IdentityId, LocatingTokens, SessionId } from '#kernel';
import type { FoundDevice } from '#identity';

import type { Lifetimes } from '../domain/lifetimes.js';
import { linkScanOf, type StartedSession } from '../domain/session.js';
import { InvalidSignature, SessionEnded } from '../domain/session.errors.js';
import type { Sessions } from '../repositories/sessions.js';
import type { SigningLog } from '../repositories/signing-log.js';
import type { SigningResults, TimedAttributes } from '../repositories/signing-results.js';
import type { Statements, StoredStatement } from '../repositories/statements.js';
import type { JudgedSession, JudgePin, PinRequest } from './judge-pin.js';
import type { VerifySignature } from './verify-signature.js';

export interface ConfirmRequest extends PinRequest {
  /** Base64: IEEE P1363 for EC keys, PKCS#1 v1.5 for RSA. */
  readonly signature: string;
  /** SIGNING: the time in the signed attributes, if it differs from that of the scan. Epoch seconds. */
  readonly signingTime?: number | undefined;
}

/** CONFIRMED, or SCANNED while the container of a signature is being built (specification/sessions.md#transitions-of-a-signature). */
export interface Confirmation {
  readonly status: 'CONFIRMED' | 'SCANNED';
  /** Of a hosted login that was opened by a link: the login page, with the return token (specification/login-ui.md#logins-opened-by-a-link). */
  readonly returnUrl?: string;
}

export interface ConfirmSessionDependencies {
  readonly sessions: Sessions;
  readonly judgePin: JudgePin;
  readonly verifySignature: VerifySignature;
  readonly statements: Statements;
  readonly signingLog: SigningLog;
  readonly results: SigningResults;
  readonly lifetimes: Lifetimes;
  readonly clock: Clock;
  readonly returnTokens: LocatingTokens;
  /** The service's login page. */
  readonly loginUrl: string;
}

type ScannedLogin = Extract<JudgedSession, { confirmed: false }>;

/** The clocks of phones and replicas may differ by this time, as in a device proof. Milliseconds. */
const CLOCK_DIFFERENCE = 60_000;

const unlessInvalid = (error: unknown): undefined => {
  if (!(error instanceof InvalidSignature)) throw error;
};

/** The user approves: the signature is verified once code and PIN were judged right ({@link JudgePin}). */
export class ConfirmSession {
  constructor(private readonly dependencies: ConfirmSessionDependencies) {}

  /** Throws SessionNotFound, DeviceLocked, SessionNotScanned, SessionEnded, WrongVerificationCode, WrongPin, InvalidSignature. */
  async execute(request: ConfirmRequest, device: FoundDevice): Promise<Confirmation> {
    const { judgePin } = this.dependencies;
    const judged = judgePin.beginOnWritten(request, device) ?? (await judgePin.begin(request, device));
    if (judged.confirmed) return this.#confirmation(judged.id, judged.session);
    const { id, session, loaded } = judged;
    if (await this.#inOneCommit(judged, request, device)) return this.#confirmation(id, session);
    await judgePin.finish(id, request, device);
    const { terms, scan } = session;
    const statement = await this.dependencies.statements.find(id, scan);
    if (!statement) throw new InvalidSignature('nothing was shown to be signed');
    const timed = this.#timed(statement, request.signingTime);
    const { toBeSigned } = timed ?? statement;
    const { signature } = request;
    const verified = await this.dependencies.verifySignature.execute({ terms, scan, toBeSigned, device, signature });
    const { code: codeTtl, signingBuild: buildTtl } = this.dependencies.lifetimes;
    const command = { type: 'ConfirmSession', deviceId: device.deviceId, codeTtl, buildTtl } as const;
    if (terms.signatureType === 'SIGNING') {
      await this.#storeSignature(id, device.identityId, verified, timed);
      await this.dependencies.sessions.handle(id, command, loaded).catch((refusal: unknown) => this.#dropSignature(id, refusal));
    } else {
      await this.dependencies.sessions.handle(id, { ...command, signature: verified }, loaded);
    }
    return this.#confirmation(id, session);
  }

  /**
   * Stores the right PIN of a login and its confirmation together, as the request has read device and session: the append proves both current. False, and
   * nothing is stored, for all that {@link execute} has to decide step by step: every refusal, and whatever has changed meanwhile.
   */
  async #inOneCommit({ id, session, loaded }: ScannedLogin, request: ConfirmRequest, device: FoundDevice): Promise<boolean> {
    const { sessions, judgePin, statements, lifetimes } = this.dependencies;
    const { terms, scan } = session;
    if (terms.signatureType !== 'AUTHENTICATION' || !sessions.proposes) return false;
    const pin = judgePin.propose(id, request, device);
    const statement = pin && (await statements.find(id, scan));
    if (!statement) return false;
    const { toBeSigned } = statement;
    const { signature } = request;
    const verified = await this.dependencies.verifySignature.execute({ terms, scan, toBeSigned, device, signature }).catch(unlessInvalid);
    if (verified === undefined) return false;
    const { code: codeTtl, signingBuild: buildTtl } = lifetimes;
    const command = { type: 'ConfirmSession', deviceId: device.deviceId, codeTtl, buildTtl, signature: verified } as const;
    return sessions.inTraceOf(id, loaded, async () => {
      const confirmation = sessions.propose(id, command, loaded);
      return confirmation !== undefined && sessions.storeTogether([pin, confirmation]);
    });
  }

  #confirmation(sessionId: SessionId, session: StartedSession): Confirmation {
    const { returnTokens, loginUrl } = this.dependencies;
    const scan = linkScanOf(session);
    return {
      status: session.terms.signatureType === 'SIGNING' ? 'SCANNED' : 'CONFIRMED',
      ...(scan && { returnUrl: `${loginUrl.replace(/\/+$/, '')}/#${sessionId}.${returnTokens.make(sessionId, scan.eventId)}` }),
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

  /** Call it before the approval. Stores the signature value with the result, and writes to the log by which an erasure of the person finds it. */
  async #storeSignature(sessionId: SessionId, identityId: IdentityId, signature: string, timed: TimedAttributes | undefined): Promise<void> {
    await this.dependencies.signingLog.add(identityId, sessionId);
    await this.dependencies.results.sign(sessionId, signature, timed).catch((error: unknown) => {
      throw error instanceof StreamTombstoned ? new SessionEnded('the signature was erased') : error;
    });
  }

  /** The session has ended meanwhile, and nothing that was signed for it may stay. */
  async #dropSignature(sessionId: SessionId, refusal: unknown): Promise<never> {
    if (refusal instanceof SessionEnded) await this.dependencies.results.discard(sessionId);
    throw refusal;
  }
}
