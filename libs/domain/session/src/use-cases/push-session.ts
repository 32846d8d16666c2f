import type { ClientId, IdentityId, SessionId, SubjectId } from '#kernel';
import type { HasActiveDevice, Inbox, ResolveSubject } from '#domain/identity';

interface PushedTerms {
  readonly clientId: ClientId;
  readonly subjectId?: SubjectId;
  /** Epoch milliseconds. */
  readonly expiresAt: number;
}

/** Sends sessions to the devices of a subject of the client. */
export class PushSession {
  constructor(
    private readonly resolveSubject: ResolveSubject,
    private readonly hasActiveDevice: HasActiveDevice,
    private readonly inbox: Inbox,
  ) {}

  /** One subjectId of a person who has two at a client that migrates its accounts. */
  nameOf(clientId: ClientId, subjectId: SubjectId): Promise<SubjectId> {
    return this.resolveSubject.nameOf(clientId, subjectId);
  }

  /** Whether a push would reach a device. */
  async canReach(clientId: ClientId, subjectId: SubjectId): Promise<boolean> {
    const identityId = await this.#recipient(clientId, subjectId);
    return identityId !== undefined && (await this.hasActiveDevice.execute(identityId));
  }

  /** Repeating it shows the session once. */
  async execute(sessionId: SessionId, terms: PushedTerms): Promise<void> {
    const { clientId, subjectId, expiresAt } = terms;
    const identityId = subjectId && (await this.#recipient(clientId, subjectId));
    if (identityId) await this.inbox.push(identityId, { sessionId, clientId, expiresAt });
  }

  /** The same once more, for a person who missed the first one. The inbox still shows the session once. */
  async again(sessionId: SessionId, { clientId, subjectId, expiresAt }: PushedTerms): Promise<void> {
    const identityId = subjectId && (await this.#recipient(clientId, subjectId));
    if (identityId) await this.inbox.pushAgain(identityId, { sessionId, clientId, expiresAt });
  }

  #recipient(clientId: ClientId, subjectId: SubjectId): Promise<IdentityId | undefined> {
    return this.resolveSubject.execute(clientId, subjectId);
  }
}
