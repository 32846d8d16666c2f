import { StreamTombstoned } from '#event-store';
import type { IdentityId, LocatingTokens, SessionId } from '#kernel';
import type { FoundDevice } from '#identity';

import type { Lifetimes } from '../domain/lifetimes.js';
import { linkScanOf, type StartedSession } from '../domain/session.js';
import { InvalidSignature, SessionEnded } from '../domain/session.errors.js';
import type { Sessions } from '../repositories/sessions.js';
import type { SigningLog } from '../repositories/signing-log.js';
import type { SigningResults } from '../repositories/signing-results.js';
import type { Statements } from '../repositories/statements.js';
import type { JudgedSession, JudgePin, PinRequest } from './judge-pin.js';
import type { VerifySignature } from './verify-signature.js';

export interface ConfirmRequest extends PinRequest {
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
  readonly judgePin: JudgePin;
  readonly verifySignature: VerifySignature;
  readonly statements: Statements;
  readonly signingLog: SigningLog;
  readonly results: SigningResults;
  readonly lifetimes: Lifetimes;
  readonly returnTokens: LocatingTokens;
  /** The service's login page. */
  readonly loginUrl: string;
}

type ScannedLogin = Extract<JudgedSession, { confirmed: false }>;

const unlessInvalid = (error: unknown): undefined => {
  if (!(error instanceof InvalidSignature)) throw error;
};

/** The user approves: the signature is verified once code and PIN were judged right ({@link JudgePin}). */
export class ConfirmSession {
  constructor(private readonly dependencies: ConfirmSessionDependencies) {}

  /** Throws SessionNotFound, DeviceLocked, SessionNotScanned, SessionEnded, WrongVerificationCode, WrongPin, InvalidSignature. */
  async execute(request: ConfirmRequest, device: FoundDevice): Promise<Confirmation> {
    const judged = await this.dependencies.judgePin.begin(request, device);
    if (judged.confirmed) return this.#confirmation(judged.id, judged.session);
    const { id, session, loaded } = judged;
    if (await this.#inOneCommit(judged, request, device)) return this.#confirmation(id, session);
    await this.dependencies.judgePin.finish(id, request, device);
    const { terms, scan } = session;
    const statement = await this.dependencies.statements.find(id, scan);
    if (!statement) throw new InvalidSignature('nothing was shown to be signed');
    const verified = await this.dependencies.verifySignature.execute({
      terms,
      scan,
      toBeSigned: statement.toBeSigned,
      device,
      signature: request.signature,
    });
    const { code: codeTtl, signingBuild: buildTtl } = this.dependencies.lifetimes;
    const command = { type: 'ConfirmSession', deviceId: device.deviceId, codeTtl, buildTtl } as const;
    if (terms.signatureType === 'SIGNING') {
      await this.#storeSignature(id, device.identityId, verified);
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
    const confirmation = sessions.propose(id, command, loaded);
    return confirmation !== undefined && sessions.storeTogether([pin, confirmation]);
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

  /** The session has ended meanwhile, and nothing that was signed for it may stay. */
  async #dropSignature(sessionId: SessionId, refusal: unknown): Promise<never> {
    if (refusal instanceof SessionEnded) await this.dependencies.results.discard(sessionId);
    throw refusal;
  }
}
