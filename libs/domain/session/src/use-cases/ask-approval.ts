import { type ClientId, type Clock, epochSeconds, type Randomness, type Sealer, type SessionId, type SubjectId } from '#kernel';

import type { Lifetimes } from '../domain/lifetimes.js';
import type { SealedTerms } from '../domain/sealed-terms.js';
import type { SessionTerms } from '../domain/session.events.js';
import type { VerificationCodes } from '../domain/verification-codes.js';
import type { Sessions } from '../repositories/sessions.js';
import { sessionStream } from '../streams.js';
import type { PushSession } from './push-session.js';

/** A change of the service that a person is to approve on the phone. */
export interface ApprovalRequest {
  /** The service's own client. */
  readonly clientId: ClientId;
  readonly subjectId: SubjectId;
  /** Object and change, in at most 100 characters. */
  readonly title: string;
  /** The change in words, in full. */
  readonly details: string;
  /** base64url of the SHA-256 over the change. */
  readonly changeDigest: string;
  /** Where no page waits that could show the person a verification code: the phone asks for none, and the request lasts so many milliseconds. */
  readonly withoutPage?: { readonly lasts: number };
}

export interface AskedApproval {
  readonly sessionId: SessionId;
  /** Epoch seconds. */
  readonly expiresAt: number;
  /** Two digits, which the person chooses on the phone. */
  readonly verificationCode: string;
}

export interface AskApprovalParts {
  readonly sessions: Sessions;
  readonly pushSession: PushSession;
  readonly verificationCodes: VerificationCodes;
  readonly sealer: Sealer;
  readonly lifetimes: Lifetimes;
  readonly clock: Clock;
  readonly randomness: Randomness;
}

/**
 * Asks a person on the phone to approve a change of the service (specification/admin.md#critical-changes): an ordinary pushed session of the service's own client. It has no
 * code challenge and no redirect, so no person is ever logged in by it. Such sessions count in no limit of pushes.
 */
export class AskApproval {
  constructor(private readonly parts: AskApprovalParts) {}

  async execute({ clientId, subjectId, title, details, changeDigest, withoutPage }: ApprovalRequest): Promise<AskedApproval> {
    const { sessions, pushSession, verificationCodes, sealer, lifetimes, clock, randomness } = this.parts;
    const sessionId = randomness.uuid<SessionId>();
    const texts: SealedTerms = { title, details, changeDigest };
    const terms: SessionTerms = {
      clientId,
      signatureType: 'AUTHENTICATION',
      subjectId,
      pushStatus: (await pushSession.canReach(clientId, subjectId)) ? 'DISPATCHED' : 'NO_DEVICE',
      ...(!withoutPage && { verificationCode: true }),
      expiresAt: clock.now() + (withoutPage?.lasts ?? lifetimes.pushSession),
      sealed: sealer.seal(texts, sessionStream(sessionId)),
    };
    await sessions.create(sessionId, terms);
    await pushSession.executeUncounted(sessionId, terms);
    return { sessionId, expiresAt: epochSeconds(terms.expiresAt), verificationCode: verificationCodes.shown(sessionId) };
  }
}
