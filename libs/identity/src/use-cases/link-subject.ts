import type { ClientId, Clock, DomainEvent, IdentityId, Randomness, SubjectId } from '#kernel';
import { EventIds, type EventStore, NO_STREAM, WrongExpectedRevision } from '#event-store';

import { IdentityNotFound } from '../domain/identity.errors.js';
import type { SubjectIds } from '../domain/subject-ids.js';
import type { Identities } from './identities.js';
import { subjectStream } from './streams.js';

/** The fact of the stream `subject-<subjectId>`. */
export type SubjectLinked = DomainEvent<'SubjectLinked', { readonly at: number; readonly clientId: ClientId; readonly identityId: IdentityId }>;

/** Notes whom a subjectId stands for, before a client learns it. */
export class LinkSubject {
  constructor(
    private readonly store: EventStore,
    private readonly subjectIds: SubjectIds,
    private readonly identities: Identities,
    private readonly clock: Clock,
    private readonly randomness: Randomness,
  ) {}

  /** Repeating it changes nothing. Throws {@link IdentityNotFound} for a person who is erased. */
  async execute(clientId: ClientId, identityId: IdentityId): Promise<SubjectId> {
    const subjectId = this.subjectIds.of(clientId, identityId);
    const stream = subjectStream(subjectId);
    const linked = await this.store.read(stream);
    if (linked.length === 0) await this.#link(subjectId, clientId, identityId);
    // Looked at after the link was made: an erasure that began before this look cannot have seen the link, a later one will.
    if (await this.identities.isRegistered(identityId)) return subjectId;
    await this.store.delete(stream);
    throw new IdentityNotFound('unknown or erased');
  }

  async #link(subjectId: SubjectId, clientId: ClientId, identityId: IdentityId): Promise<void> {
    const stream = subjectStream(subjectId);
    const event: SubjectLinked = { type: 'SubjectLinked', data: { at: this.clock.now(), clientId, identityId } };
    try {
      await this.store.append(stream, NO_STREAM, [{ ...event, id: new EventIds(this.randomness).next(stream) }]);
    } catch (error) {
      if (!(error instanceof WrongExpectedRevision)) throw error; // linked by somebody else, to the same person
    }
  }
}
