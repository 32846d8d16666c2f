import type { IdentityId } from '#kernel';

import type { PhoneOrigin } from '../domain/identity.js';
import type { Identities } from '../repositories/identities.js';

/** Finds since when a person has each phone, and who has made the code by which it was enrolled. */
export class FindPhoneOrigins {
  constructor(private readonly identities: Pick<Identities, 'get'>) {}

  /** In the order of their enrolments, revoked ones too. Empty for a person who is unknown or erased. Throws ServiceUnavailable and NewerEventStored. */
  async execute(identityId: IdentityId): Promise<readonly PhoneOrigin[]> {
    const identity = await this.identities.get(identityId);
    return identity.status === 'REGISTERED' ? identity.origins : [];
  }
}
