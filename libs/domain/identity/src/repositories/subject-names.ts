import type { ClientId, IdentityId, SubjectId } from '#kernel';

import type { SubjectIds } from '../domain/subject-ids.js';
import type { SubjectLinks } from './subject-links.js';

/** The subjectIds that stand for one person at one client: one, and the former one too after a rotation of the subject key (ADR 0035). */
export class SubjectNames {
  constructor(
    private readonly clientId: ClientId,
    private readonly links: Pick<SubjectLinks, 'find'>,
    private readonly subjectIds: Pick<SubjectIds, 'all'>,
  ) {}

  /** Also of a person who has never logged in there. */
  ofIdentity(identityId: IdentityId): readonly SubjectId[] {
    return this.subjectIds.all(this.clientId, identityId);
  }

  /** The same, by either of them, and in the same order. The value alone where it stands for no person of this client. */
  async ofSubject(subjectId: SubjectId): Promise<readonly SubjectId[]> {
    const identityId = await this.personOf(subjectId);
    const names = identityId ? this.ofIdentity(identityId) : [];
    return names.includes(subjectId) ? names : [...names, subjectId];
  }

  /** The person of a subjectId at this client. Undefined where it stands for none, and once the erasure of the person is complete. */
  async personOf(subjectId: SubjectId): Promise<IdentityId | undefined> {
    const link = await this.links.find(subjectId);
    return link?.clientId === this.clientId ? link.identityId : undefined;
  }
}
