import type { Streams } from '#engines/event-store';
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

  /**
   * The same within a work that hands out the subjectId. Where a commit proves it, the link and the person are taken as this process remembers them, without a read. Throws
   * {@link IdentityNotFound} for a person who is unknown or erased.
   */
  async in(streams: Streams, clientId: ClientId, identityId: IdentityId): Promise<SubjectId> {
    const subjectId = await this.links.rememberedIn(streams, clientId, identityId);
    if (subjectId === undefined) return this.execute(clientId, identityId);
    if ((await this.identities.lookIn(streams, identityId)).status !== 'REGISTERED') throw new IdentityNotFound('unknown or erased');
    return subjectId;
  }

  /** For a work that soon hands out the subjectId: {@link UnitOfWork.prepare}. */
  prepare(clientId: ClientId, identityId: IdentityId): Promise<void> {
    return this.links.prepare(clientId, identityId);
  }

  /** By default the subjectId that the client receives now. Repeating it changes nothing. Throws {@link IdentityNotFound} for a person who is unknown or erased. */
  async execute(clientId: ClientId, identityId: IdentityId, wanted?: SubjectId): Promise<SubjectId> {
    const [link, isRegistered] = await Promise.all([this.links.findOf(clientId, identityId, wanted), this.identities.isRegistered(identityId)]);
    // Nothing is stored then, so nothing is left behind by an erasure that this read does not show yet.
    if (link.isLinked && isRegistered) return link.subjectId;
    if (isRegistered && (await this.#linked(clientId, identityId, link.subjectId))) return link.subjectId;
    if (link.isLinked) await this.links.release(link.subjectId);
    throw new IdentityNotFound('unknown or erased');
  }

  /** The identity is read after the link is stored: an erasure that this read does not show yet will find the link. */
  async #linked(clientId: ClientId, identityId: IdentityId, subjectId: SubjectId): Promise<boolean> {
    await this.links.link(clientId, identityId, subjectId);
    if (await this.identities.isRegistered(identityId)) return true;
    await this.links.release(subjectId);
    return false;
  }
}
