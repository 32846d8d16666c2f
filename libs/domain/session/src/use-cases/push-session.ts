import type { ClientId, IdentityId, SessionId, SubjectId } from '#kernel';
import { type HasActiveDevice, type Inbox, isBlocked, type PersonLimitsRecords, type ResolveSubject } from '#domain/identity';

import type { PushLimit } from '../push-limit.js';

interface PushedTerms {
  readonly clientId: ClientId;
  readonly subjectId?: SubjectId;
  /** Epoch milliseconds. */
  readonly expiresAt: number;
}

export interface PushSessionParts {
  readonly resolveSubject: Pick<ResolveSubject, 'execute'>;
  readonly hasActiveDevice: Pick<HasActiveDevice, 'execute'>;
  readonly inbox: Inbox;
  readonly personLimits: Pick<PersonLimitsRecords, 'of'>;
  readonly pushLimit: Pick<PushLimit, 'mayWake'>;
}

/** Sends sessions to the devices of a subject of the client. */
export class PushSession {
  constructor(private readonly parts: PushSessionParts) {}

  /** Whether a push would reach a device. */
  async canReach(clientId: ClientId, subjectId: SubjectId): Promise<boolean> {
    const identityId = await this.#recipient(clientId, subjectId);
    return identityId !== undefined && (await this.parts.hasActiveDevice.execute(identityId));
  }

  /** Repeating it shows the session once. Beyond the limit of the person it lies in the inbox and wakes no phone. */
  async execute(sessionId: SessionId, terms: PushedTerms): Promise<void> {
    await this.#push(sessionId, terms, (identityId) => this.parts.pushLimit.mayWake(identityId));
  }

  /** The same for an approval of a change of the service, which counts in no limit: no client can make it silent. */
  async executeUncounted(sessionId: SessionId, terms: PushedTerms): Promise<void> {
    await this.#push(sessionId, terms, async () => true);
  }

  /** The same once more, for a person who missed the first one. The inbox still shows the session once. */
  async again(sessionId: SessionId, { clientId, subjectId, expiresAt }: PushedTerms): Promise<void> {
    const { inbox, pushLimit } = this.parts;
    const identityId = subjectId && (await this.#recipient(clientId, subjectId));
    if (identityId) await inbox.pushAgain(identityId, { sessionId, clientId, expiresAt }, () => pushLimit.mayWake(identityId));
  }

  async #push(
    sessionId: SessionId,
    { clientId, subjectId, expiresAt }: PushedTerms,
    mayWake: (identityId: IdentityId) => Promise<boolean>,
  ): Promise<void> {
    const identityId = subjectId && (await this.#recipient(clientId, subjectId));
    if (identityId) await this.parts.inbox.push(identityId, { sessionId, clientId, expiresAt }, () => mayWake(identityId));
  }

  /** Undefined also for a person who has blocked the client: its requests reach that person by code only. */
  async #recipient(clientId: ClientId, subjectId: SubjectId): Promise<IdentityId | undefined> {
    const identityId = await this.parts.resolveSubject.execute(clientId, subjectId);
    return identityId && !isBlocked(await this.parts.personLimits.of(identityId), clientId) ? identityId : undefined;
  }
}
