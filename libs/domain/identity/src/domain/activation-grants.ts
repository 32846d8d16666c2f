import { InvalidActivationCode } from './identity.errors.js';
import type { ActivationGrant, Identity } from './identity.js';

/** All grants of a person, also the used ones. Empty for an unknown or erased person. */
export const grantsOf = (identity: Identity): readonly ActivationGrant[] => (identity.status === 'REGISTERED' ? identity.grants : []);

/** An activation code that is to be used. */
export interface GrantUse {
  /** Undefined when the code belongs to no grant. */
  readonly grantId: string | undefined;
  /** Epoch milliseconds. */
  readonly now: number;
  /** Whether the person is a member of the portal at this time. */
  readonly isMember: boolean;
}

/** The id of a grant that enrols a device now (specification/admin.md#activation-codes). Throws {@link InvalidActivationCode}. */
export const openGrant = (identity: Identity, { grantId, now, isMember }: GrantUse): string => {
  if (identity.status !== 'REGISTERED') throw new InvalidActivationCode(`identity is ${identity.status}`);
  const grant = identity.grants.find(({ id }) => id === grantId);
  if (grantId === undefined || !grant) throw new InvalidActivationCode('forged');
  if (grant.used) throw new InvalidActivationCode('already used');
  if (now >= grant.expiresAt) throw new InvalidActivationCode('expired');
  // The sender of a request for a person without rights must not get a phone of a member by it.
  if (isMember && !grant.forMember) throw new InvalidActivationCode('issued before the person was a member of the portal');
  return grantId;
};
