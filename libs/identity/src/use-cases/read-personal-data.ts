import type { IdentityId } from '#kernel';

import type { PersonalData } from '../domain/personal-data.js';
import type { Identities } from './identities.js';
import type { PersonRecords } from './person-records.js';

export class ReadPersonalData {
  constructor(
    private readonly identities: Identities,
    private readonly records: PersonRecords,
  ) {}

  /** Undefined for an identity that is unknown or erased, from the moment that its erasure was asked for. */
  async execute(identityId: IdentityId): Promise<PersonalData | undefined> {
    const record = await this.records.read(identityId);
    return record && (await this.identities.isRegistered(identityId)) ? record.person : undefined;
  }
}
