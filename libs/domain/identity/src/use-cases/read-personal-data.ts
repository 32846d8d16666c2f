import type { IdentityId } from '#kernel';

import type { PersonalData } from '../domain/personal-data.js';
import type { Identities } from '../repositories/identities.js';
import type { PersonRecords } from '../repositories/person-records.js';

export class ReadPersonalData {
  constructor(
    private readonly identities: Identities,
    private readonly records: PersonRecords,
  ) {}

  /** Undefined for an unknown identity, and for an erased one from the event IdentityErased on. */
  async execute(identityId: IdentityId): Promise<PersonalData | undefined> {
    const [person, isRegistered] = await Promise.all([this.ofRegistered(identityId), this.identities.isRegistered(identityId)]);
    return isRegistered ? person : undefined;
  }

  /** The same for a caller that makes sure itself that the identity is not erased. */
  async ofRegistered(identityId: IdentityId): Promise<PersonalData | undefined> {
    return (await this.records.read(identityId))?.person;
  }
}
