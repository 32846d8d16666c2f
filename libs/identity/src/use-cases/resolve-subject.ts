import type { ClientId, IdentityId, SubjectId } from '#kernel';
import type { EventStore } from '#event-store';

import type { Identities } from './identities.js';
import type { SubjectLinked } from './link-subject.js';
import { subjectStream } from './streams.js';

export class ResolveSubject {
  constructor(
    private readonly store: EventStore,
    private readonly identities: Identities,
  ) {}

  /** Whom the client means; undefined when it never learned that subjectId, or the person was erased. */
  async execute(clientId: ClientId, subjectId: SubjectId): Promise<IdentityId | undefined> {
    const [linked] = await this.store.read(subjectStream(subjectId), { limit: 1 });
    const link = (linked as unknown as SubjectLinked | undefined)?.data;
    if (link?.clientId !== clientId) return undefined;
    return (await this.identities.isRegistered(link.identityId)) ? link.identityId : undefined;
  }
}
