import type { ClientId, IdentityId, SubjectId } from '#kernel';

import type { SubjectIds } from '../domain/subject-ids.js';
import type { Identities } from '../repositories/identities.js';
import type { SubjectLinks } from '../repositories/subject-links.js';

export class ResolveSubject {
  constructor(
    private readonly links: SubjectLinks,
    private readonly subjectIds: SubjectIds,
    private readonly identities: Identities,
  ) {}

  /**
   * The person behind a client's subjectId. Undefined when the client never learned that subjectId, when the person is erased, and when the time to migrate
   * from a former subjectId is over.
   */
  async execute(clientId: ClientId, subjectId: SubjectId): Promise<IdentityId | undefined> {
    const link = await this.links.find(subjectId);
    if (link?.clientId !== clientId || !this.subjectIds.accepted(clientId, link.identityId).includes(subjectId)) return undefined;
    return (await this.identities.isRegistered(link.identityId)) ? link.identityId : undefined;
  }

  /** One subjectId of a person who has two at a client, so that limits count the person once. */
  async nameOf(clientId: ClientId, subjectId: SubjectId): Promise<SubjectId> {
    if (!this.subjectIds.migration()) return subjectId;
    const link = await this.links.find(subjectId);
    return link?.clientId === clientId ? this.subjectIds.of(clientId, link.identityId) : subjectId;
  }
}
