import type { StreamLooks } from '#engines/event-store';
import type { IdentityId } from '#kernel';

import type { Identity, PhoneOrigin } from '../domain/identity.js';
import type { Identities } from '../repositories/identities.js';

/** Finds since when a person has each phone, and who has made the code by which it was enrolled. */
export class FindPhoneOrigins {
  constructor(private readonly identities: Pick<Identities, 'get' | 'lookIn'>) {}

  /** In the order of their enrolments, revoked ones too. Empty for a person who is unknown or erased. Throws ServiceUnavailable and NewerEventStored. */
  async execute(identityId: IdentityId): Promise<readonly PhoneOrigin[]> {
    return originsOf(await this.identities.get(identityId));
  }

  /** The same within a work that only looks at the person. */
  async executeIn(looks: StreamLooks, identityId: IdentityId): Promise<readonly PhoneOrigin[]> {
    return originsOf(await this.identities.lookIn(looks, identityId));
  }
}

const originsOf = (identity: Identity): readonly PhoneOrigin[] => (identity.status === 'REGISTERED' ? identity.origins : []);
