import type { ClientId, IdentityId, SubjectId } from '#kernel';

import { IdentityNotFound } from '../domain/identity.errors.js';
import type { Identities } from '../repositories/identities.js';
import type { SubjectLinks } from '../repositories/subject-links.js';

/** Stores which person a subjectId stands for, before a client learns it. */
export class LinkSubject {
  constructor(
    private readonly links: SubjectLinks,
    private readonly identities: Identities,
  ) {}

  /** Repeating it changes nothing. Throws {@link IdentityNotFound} for a person who is unknown or erased. */
  async execute(clientId: ClientId, identityId: IdentityId): Promise<SubjectId> {
    const subjectId = await this.links.link(clientId, identityId);
    // The identity is read after the link is stored. An erasure that this read does not show yet will find the link.
    if (await this.identities.isRegistered(identityId)) return subjectId;
    await this.links.release(clientId, identityId);
    throw new IdentityNotFound('unknown or erased');
  }
}
