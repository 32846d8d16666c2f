import { InvalidActivationCode } from './identity.errors.js';
import type { ActivationGrant, Identity } from './identity.js';

/** All grants of a person, also the used ones. Empty for an unknown or erased person. */
export const grantsOf = (identity: Identity): readonly ActivationGrant[] => (identity.status === 'REGISTERED' ? identity.grants : []);

/** The id of a grant that enrols a device now. `now` in epoch milliseconds. Throws {@link InvalidActivationCode}. */
export const openGrant = (identity: Identity, grantId: string | undefined, now: number): string => {
  if (identity.status !== 'REGISTERED') throw new InvalidActivationCode(`identity is ${identity.status}`);
  const grant = identity.grants.find(({ id }) => id === grantId);
  if (grantId === undefined || !grant) throw new InvalidActivationCode('forged');
  if (grant.used) throw new InvalidActivationCode('already used');
  if (now >= grant.expiresAt) throw new InvalidActivationCode('expired');
  return grantId;
};
