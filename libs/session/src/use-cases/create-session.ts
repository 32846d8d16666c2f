import { isSignedDataName } from '#asic';
import { type Clock, epochSeconds, InvalidRequest, type LocatingTokens, parseId, type Randomness, type Sealer, type SessionId, type SubjectId } from '#kernel';
import type { Client } from '#relying-party';

import type { Lifetimes } from '../domain/lifetimes.js';
import { parseProperties } from '../domain/properties.js';
import type { SealedTerms } from '../domain/sealed-terms.js';
import type { Terms } from '../domain/session.js';
import { assertSessionRequest, type SessionRequest } from '../domain/session-request.js';
import type { CreateSession as CreateSessionCommand } from '../domain/session.commands.js';
import type { PushStatus } from '../domain/session.events.js';
import type { IdempotencyKeys } from './idempotency-keys.js';
import type { PushLimit } from './push-limit.js';
import type { PushSession } from './push-session.js';
import { type Sessions, sessionStream } from './sessions.js';

export interface CreatedSession {
  readonly sessionId: SessionId;
  /** Epoch seconds. */
  readonly expiresAt: number;
  readonly pushStatus: PushStatus;
  readonly handoffToken?: string;
}

export interface CreateSessionParts {
  readonly sessions: Sessions;
  readonly idempotencyKeys: IdempotencyKeys;
  readonly pushSession: PushSession;
  readonly pushLimit: PushLimit;
  readonly handoffTokens: LocatingTokens;
  readonly sealer: Sealer;
  readonly lifetimes: Lifetimes;
  readonly clock: Clock;
  readonly randomness: Randomness;
}

/** Specification, "POST session". */
const DEFAULT_DATA_NAME = 'detached-file';

/** POST session (specification, "POST session"): everything is checked before a session exists. */
export class CreateSession {
  constructor(private readonly parts: CreateSessionParts) {}

  /**
   * Throws InvalidRequest, InvalidScope, IdempotencyConflict (the key was used for another request), RateLimited
   * (too many pushes to one subject).
   */
  async execute(request: SessionRequest, client: Client, idempotencyKey?: string): Promise<CreatedSession> {
    const { sessions, idempotencyKeys, randomness } = this.parts;
    assertSessionRequest(request, client);
    assertSignedDataName(request.signed_data_name);
    const requested = request.properties === undefined ? undefined : parseProperties(request.properties, client);

    let sessionId = randomness.uuid<SessionId>();
    if (idempotencyKey !== undefined) {
      sessionId = await idempotencyKeys.reserve(client.clientId, idempotencyKey, request);
      const earlier = await sessions.find(sessionId);
      if (earlier) {
        await this.#push(sessionId, earlier.terms);
        return this.#answer(sessionId, earlier.terms);
      }
    }
    const subjectId = parseId<SubjectId>(request.subject_id);
    const pushStatus = await this.#pushStatus(request, client, subjectId);
    const terms: CreateSessionCommand['terms'] = {
      clientId: client.clientId,
      signatureType: request.signature_type,
      ...(request.redirect_uri !== undefined && { redirectUri: request.redirect_uri }),
      ...(request.code_challenge !== undefined && { codeChallenge: request.code_challenge }),
      ...(subjectId && { subjectId }),
      pushStatus,
      ...(requested && { requested }),
      ...this.#times(request),
      sealed: this.#seal(request, sessionId),
    };
    const session = await sessions.create(sessionId, terms);
    if (session.status === 'NONE') throw new Error('a created session has a status');
    await this.#push(sessionId, session.terms);
    return this.#answer(sessionId, session.terms);
  }

  async #pushStatus({ push }: SessionRequest, { clientId }: Client, subjectId: SubjectId | undefined): Promise<PushStatus> {
    if (!push || !subjectId) return 'NOT_REQUESTED';
    await this.parts.pushLimit.take(clientId, subjectId);
    return (await this.parts.pushSession.canReach(clientId, subjectId)) ? 'DISPATCHED' : 'NO_DEVICE';
  }

  /**
   * Repeating it makes good what a crash after the creation left out. A hosted login is pushed when its page has
   * claimed it, so that a quick phone cannot spoil the handoff (api-extensions 1.24).
   */
  async #push(sessionId: SessionId, terms: Terms): Promise<void> {
    if (terms.pushStatus === 'DISPATCHED' && terms.handoffExpiresAt === undefined) await this.parts.pushSession.execute(sessionId, terms);
  }

  #times({ push, hosted_page }: SessionRequest): Pick<CreateSessionCommand['terms'], 'expiresAt' | 'handoffExpiresAt'> {
    const { clock, lifetimes } = this.parts;
    const now = clock.now();
    return {
      expiresAt: now + (push ? lifetimes.pushSession : lifetimes.session),
      ...(hosted_page && { handoffExpiresAt: now + lifetimes.handoff }),
    };
  }

  #seal(request: SessionRequest, sessionId: SessionId): string {
    const { state, title, signed_data_hash: hash, signed_data_name: signedDataName = DEFAULT_DATA_NAME } = request;
    const texts: SealedTerms = {
      ...(title !== undefined && { title }),
      ...(state !== undefined && { state }),
      ...(hash !== undefined && { signedDataHash: hash.toLowerCase(), signedDataName }),
    };
    return this.parts.sealer.seal(texts, sessionStream(sessionId));
  }

  #answer(sessionId: SessionId, terms: Terms): CreatedSession {
    return {
      sessionId,
      expiresAt: epochSeconds(terms.expiresAt),
      pushStatus: terms.pushStatus,
      ...(terms.handoffExpiresAt !== undefined && { handoffToken: this.parts.handoffTokens.make(sessionId, terms.eventId) }),
    };
  }
}

/** The name of a file that can lie beside the container's own entries (api-extensions 1.12). */
const assertSignedDataName = (name: string | undefined): void => {
  if (name === undefined || isSignedDataName(name)) return;
  throw new InvalidRequest(
    '`signed_data_name` must be the name of a file: 1 to 255 characters without control characters, `/`, `\\` and `..`, not `mimetype`, `META-INF…` or a drive letter',
  );
};
