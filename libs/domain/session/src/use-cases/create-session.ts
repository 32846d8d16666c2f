import { collidingName, isSignedDataName } from '#signatures/asic';
import {
  type Clock,
  epochSeconds,
  InvalidRequest,
  type LocatingTokens,
  parseId,
  type Randomness,
  type Sealer,
  type SessionId,
  type SubjectId,
} from '#kernel';
import type { Client } from '#domain/relying-party';

import type { EvidenceOfLogins } from '../approval/evidence-of-logins.js';
import type { Lifetimes } from '../domain/lifetimes.js';
import { parseProperties } from '../domain/properties.js';
import type { QrFrames } from '../domain/qr-frames.js';
import type { VerificationCodes } from '../domain/verification-codes.js';
import type { StartedSession } from '../domain/session.js';
import { assertSessionRequest, type SessionRequest } from '../domain/session-request.js';
import { termsOf, textsOf } from '../domain/session-terms.js';
import { PersonNotReached } from '../domain/session.errors.js';
import type { PushStatus, SessionTerms } from '../domain/session.events.js';
import { assertSameRequest, type IdempotencyKeys } from '../repositories/idempotency-keys.js';
import type { PushLimit } from '../push-limit.js';
import type { PushSession } from './push-session.js';
import type { Sessions } from '../repositories/sessions.js';
import { sessionStream } from '../streams.js';

export interface CreatedSession {
  readonly sessionId: SessionId;
  /** Epoch seconds. */
  readonly expiresAt: number;
  readonly pushStatus: PushStatus;
  /** Only for a client with dynamic QR codes, without hosted_page: a code without a frame is refused with `invalid_qr`. */
  readonly qrMode?: 'DYNAMIC';
  /** Beside qrMode: the key for the frames of the code. Base64url, 256 bits. */
  readonly qrSecret?: string;
  /** Only for a pushed session of a client with verification codes, without hosted_page: two digits that the waiting page shows. */
  readonly verificationCode?: string;
  /** Only with hosted_page. Redirect the browser to `{login_url}/?t=<handoffToken>` within 60 s. */
  readonly handoffToken?: string;
}

/** A login without a browser. */
export interface BackchannelLogin {
  /** Its client asks for the tokens by it. */
  readonly authReqId: string;
  /** Epoch milliseconds. */
  readonly expiresAt: number;
  /** Only of a client with verification codes: two digits that the person has to find where the client shows them. */
  readonly verificationCode?: string;
}

export interface CreateSessionDependencies {
  readonly sessions: Sessions;
  readonly idempotencyKeys: IdempotencyKeys;
  readonly pushSession: PushSession;
  readonly pushLimit: PushLimit;
  /** Whether the service signs documents: it has a certificate authority. */
  readonly signs: boolean;
  readonly evidenceOfLogins: Pick<EvidenceOfLogins, 'isOffered'>;
  readonly handoffTokens: LocatingTokens;
  readonly authRequestIds: LocatingTokens;
  readonly qrFrames: QrFrames;
  readonly verificationCodes: VerificationCodes;
  readonly sealer: Sealer;
  readonly lifetimes: Lifetimes;
  readonly clock: Clock;
  readonly randomness: Randomness;
}

const FILE_NAME =
  'must be the name of a file: 1 to 255 characters without control characters, `/` and `\\`, and not `.`, `..`, `mimetype` or `META-INF`';

/** POST session (specification/relying-party.md#post-session): every check comes before the session is created. */
export class CreateSession {
  constructor(private readonly dependencies: CreateSessionDependencies) {}

  /**
   * Throws InvalidRequest, InvalidScope, IdempotencyConflict (the key was used for another request), RateLimited
   * (too many pushes to one subject, or one too soon after a Decline).
   */
  async execute(request: SessionRequest, client: Client, idempotencyKey?: string): Promise<CreatedSession> {
    const { sessionId, session } = await this.#begin(request, client, idempotencyKey);
    return this.#answer(sessionId, session);
  }

  /** The same for a login without a browser, which is pushed. Throws also PersonNotReached, before anything is stored. */
  async executeBackchannel(request: SessionRequest, client: Client): Promise<BackchannelLogin> {
    const { sessionId, session } = await this.#begin({ ...request, push: true, backchannel: true }, client);
    const { terms, createdEventId } = session;
    return {
      authReqId: this.dependencies.authRequestIds.make(sessionId, createdEventId),
      expiresAt: terms.expiresAt,
      ...(terms.verificationCode && { verificationCode: this.dependencies.verificationCodes.shown(sessionId) }),
    };
  }

  async #begin(request: SessionRequest, client: Client, idempotencyKey?: string): Promise<Begun> {
    const { sessions, idempotencyKeys, randomness, signs, evidenceOfLogins } = this.dependencies;
    if (request.signatureType === 'SIGNING' && !signs)
      throw new InvalidRequest('This service signs nothing: it has no certificate authority. `signature_type` must be AUTHENTICATION.');
    assertSessionRequest(request, client);
    if (request.evidence && !evidenceOfLogins.isOffered)
      throw new InvalidRequest('This service makes no evidence of logins: it has no key for it. Leave `evidence` out.');
    assertDocumentNames(request);
    const requested = request.properties === undefined ? request.openid?.requested : parseProperties(request.properties, client);

    const keyed = idempotencyKey === undefined ? undefined : await idempotencyKeys.find(client.clientId, idempotencyKey, request);
    const sessionId = keyed?.sessionId ?? randomness.uuid<SessionId>();
    if (keyed?.earlier) {
      await this.#push(sessionId, keyed.earlier.terms);
      return { sessionId, session: keyed.earlier };
    }
    const subjectId = parseId<SubjectId>(request.subjectId);
    const pushStatus = await this.#pushStatus(request, client, subjectId);
    if (request.backchannel && pushStatus !== 'DISPATCHED') throw new PersonNotReached('no phone of the subject can be reached');
    const terms = termsOf({ request, client, subjectId, pushStatus, requested, times: this.#times(request), sealed: this.#seal(request, sessionId) });
    const session = await sessions.create(sessionId, terms, keyed?.requestDigest);
    if (session.status === 'NONE') throw new Error('a created session has a status');
    // A request with the same key may have created it at the same time.
    if (keyed) assertSameRequest(session, keyed.requestDigest);
    await this.#push(sessionId, session.terms);
    return { sessionId, session };
  }

  async #pushStatus({ push }: SessionRequest, { clientId }: Client, subjectId: SubjectId | undefined): Promise<PushStatus> {
    if (!push || !subjectId) return 'NOT_REQUESTED';
    const { pushLimit, pushSession } = this.dependencies;
    await pushLimit.take(clientId, subjectId);
    return (await pushSession.canReach(clientId, subjectId)) ? 'DISPATCHED' : 'NO_DEVICE';
  }

  /**
   * A repeated request pushes again, in case the service crashed between creation and push. A hosted login is pushed only
   * when its page claims it, so that a fast phone cannot invalidate the handoff (specification/login-ui.md#push-with-the-hosted-page).
   */
  async #push(sessionId: SessionId, terms: SessionTerms): Promise<void> {
    if (terms.pushStatus === 'DISPATCHED' && terms.handoffExpiresAt === undefined) await this.dependencies.pushSession.execute(sessionId, terms);
  }

  #times({ push, hostedPage }: SessionRequest): Pick<SessionTerms, 'expiresAt' | 'handoffExpiresAt'> {
    const { clock, lifetimes } = this.dependencies;
    const now = clock.now();
    return {
      expiresAt: now + (push ? lifetimes.pushSession : lifetimes.session),
      ...(hostedPage && { handoffExpiresAt: now + lifetimes.handoff }),
    };
  }

  #seal(request: SessionRequest, sessionId: SessionId): string {
    return this.dependencies.sealer.seal(textsOf(request), sessionStream(sessionId));
  }

  #answer(sessionId: SessionId, { terms, createdEventId }: StartedSession): CreatedSession {
    const hosted = terms.handoffExpiresAt !== undefined;
    return {
      sessionId,
      expiresAt: epochSeconds(terms.expiresAt),
      pushStatus: terms.pushStatus,
      ...(hosted && { handoffToken: this.dependencies.handoffTokens.make(sessionId, createdEventId) }),
      ...(terms.dynamicQr && !hosted && { qrMode: 'DYNAMIC', qrSecret: this.dependencies.qrFrames.secretOf(sessionId) }),
      ...(terms.verificationCode && !hosted && { verificationCode: this.dependencies.verificationCodes.shown(sessionId) }),
    };
  }
}

interface Begun {
  readonly sessionId: SessionId;
  readonly session: StartedSession;
}

/**
 * The files must be able to lie in the container together, beside its own entries (specification/signing.md#names-of-files).
 * Throws {@link InvalidRequest} naming the parameter.
 */
const assertDocumentNames = ({ signedDataName, documents = [] }: SessionRequest): void => {
  if (signedDataName !== undefined && !isSignedDataName(signedDataName)) throw new InvalidRequest(`\`signed_data_name\` ${FILE_NAME}`);
  const wrong = documents.findIndex(({ name }) => !isSignedDataName(name));
  if (wrong >= 0) throw new InvalidRequest(`the name in \`documents\`[${wrong}] ${FILE_NAME}`);
  if (collidingName(documents.map(({ name }) => name)) !== undefined)
    throw new InvalidRequest(
      'two names in `documents` are the same to a file system: they differ at most in case, Unicode form, or dots and blanks at the end',
    );
};
