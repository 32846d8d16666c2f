import type { Administrator, PortalMembers } from '#domain/administration';
import { type FindLivingPerson, IdentityNotFound } from '#domain/identity';
import type { IdentityId } from '#kernel';

import { Forbidden } from './require-right.js';

/** The persons who have rights in the portal: what is done to them unmakes an administrator or a member of a team. */
export class PersonsWithPower {
  constructor(
    private readonly members: Pick<PortalMembers, 'isMember'>,
    private readonly living: Pick<FindLivingPerson, 'isLiving' | 'erasedAt'>,
  ) {}

  /** Whether the person has power. Throws Forbidden for a machine token, which never touches such a person, and IdentityNotFound for an unknown person. */
  async require(identityId: IdentityId, { reach }: Administrator): Promise<boolean> {
    const hasPower = await this.members.isMember(identityId);
    if (hasPower && reach) throw new Forbidden('a token does not touch a person with power');
    // A person whose erasure was interrupted is known: the repetition goes on with it.
    if (!hasPower && !(await this.living.isLiving(identityId)) && (await this.living.erasedAt(identityId)) === undefined)
      throw new IdentityNotFound('no such identity');
    return hasPower;
  }
}
