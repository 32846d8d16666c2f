import type { ClientId, IdentityId, SubjectId } from '#kernel';

import type { Identities } from '../repositories/identities.js';
import type { SubjectLinks } from '../repositories/subject-links.js';

export class ResolveSubject {
  constructor(
    private readonly links: SubjectLinks,
    private readonly identities: Identities,
  ) {}

  /** The person behind a client's subjectId. Undefined when the client never learned that subjectId or the person is erased. */
  async execute(clientId: ClientId, subjectId: SubjectId): Promise<IdentityId | undefined> {
    const link = await this.links.find(subjectId);
    if (link?.clientId !== clientId) return undefined;
    return (await this.identities.isRegistered(link.identityId)) ? link.identityId : undefined;
  }
}
