import type { ClientId, IdentityId } from '#kernel';

import type { SubjectIds } from '../domain/subject-ids.js';
import type { SubjectLinks } from '../repositories/subject-links.js';

/** Tells whether a client has learned who a person is. */
export class HasLoggedIn {
  constructor(
    private readonly links: Pick<SubjectLinks, 'find'>,
    private readonly subjectIds: Pick<SubjectIds, 'all'>,
  ) {}

  /** Also by a former subjectId. False for a person who is erased. */
  async execute(clientId: ClientId, identityId: IdentityId): Promise<boolean> {
    const links = await Promise.all(this.subjectIds.all(clientId, identityId).map((subjectId) => this.links.find(subjectId)));
    return links.some((link) => link !== undefined);
  }
}
