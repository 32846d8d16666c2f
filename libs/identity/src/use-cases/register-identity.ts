import type { Clock, IdentityId, Randomness } from '#kernel';

import { checkPersonalData } from '../domain/check-personal-data.js';
import { IdentityExists } from '../domain/identity.errors.js';
import type { PersonalData } from '../domain/personal-data.js';
import type { Identities } from './identities.js';
import type { PersonRecords } from './person-records.js';
import type { PersonReservations } from './person-reservations.js';

export class RegisterIdentity {
  constructor(
    private readonly identities: Identities,
    private readonly reservations: PersonReservations,
    private readonly records: PersonRecords,
    private readonly clock: Clock,
    private readonly randomness: Randomness,
  ) {}

  /**
   * Reserves the person, keeps the data, and last says that the identity exists: who meets a registration that was
   * broken off completes it under the id that was reserved. Throws {@link InvalidRequest} and {@link IdentityExists}.
   */
  async execute(person: PersonalData): Promise<IdentityId> {
    checkPersonalData(person, new Date(this.clock.now()).toISOString().slice(0, 10));
    const identityId = await this.reservations.reserve(person, this.randomness.uuid<IdentityId>());
    await this.identities.handle(identityId, async (identity) => {
      if (identity.status !== 'NONE') throw new IdentityExists(`identity is ${identity.status}`);
      await this.records.change(identityId, () => ({ person, devices: {} }));
      return { type: 'RegisterIdentity', now: this.clock.now() };
    });
    return identityId;
  }
}
