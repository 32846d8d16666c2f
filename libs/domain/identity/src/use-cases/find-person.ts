import type { IdentityId } from '#kernel';

import { IdentityNotFound } from '../domain/identity.errors.js';
import type { PersonKey, PersonReservations } from '../repositories/person-reservations.js';

/** Finds a person by the keyed index of persons. Reads no personal data. */
export class FindPerson {
  constructor(private readonly reservations: PersonReservations) {}

  /** Throws {@link IdentityNotFound}; for an erased person too. */
  async execute(key: PersonKey): Promise<IdentityId> {
    const identityId = await this.reservations.find(key);
    if (!identityId) throw new IdentityNotFound('no person of this country and code');
    return identityId;
  }
}
