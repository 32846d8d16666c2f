import type { Clock, IdentityId, Randomness } from '#kernel';

import { checkPersonalData } from '../domain/check-personal-data.js';
import { IdentityExists } from '../domain/identity.errors.js';
import type { PersonalData } from '../domain/personal-data.js';
import type { Identities } from '../repositories/identities.js';
import type { PersonRecords } from '../repositories/person-records.js';
import type { PersonReservations } from '../repositories/person-reservations.js';

/** A date begins nowhere earlier than at UTC+14. Milliseconds. */
const FIRST_ZONE = 14 * 3_600_000;

export class RegisterIdentity {
  constructor(
    private readonly identities: Identities,
    private readonly reservations: PersonReservations,
    private readonly records: PersonRecords,
    private readonly clock: Clock,
    private readonly randomness: Randomness,
  ) {}

  /**
   * Reserves the person, registers the identity, and stores the personal data last. The first record decides which of several
   * registrations of one person succeeds, and none overwrites it. A registration that was interrupted before its record is
   * completed by the next one, under the reserved id. `wanted`: by default a random id. Throws {@link InvalidRequest} and {@link IdentityExists}.
   */
  async execute(person: PersonalData, wanted = this.randomness.uuid<IdentityId>()): Promise<IdentityId> {
    checkPersonalData(person, new Date(this.clock.now() + FIRST_ZONE).toISOString().slice(0, 10));
    const identityId = await this.reservations.reserve(person, wanted);
    await this.identities.handle(identityId, () => ({ type: 'RegisterIdentity', now: this.clock.now() }));
    if (!(await this.records.create(identityId, person))) throw new IdentityExists('identity is REGISTERED');
    return identityId;
  }
}
