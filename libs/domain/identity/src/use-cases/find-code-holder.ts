import type { Clock, IdentityId, LocatingTokens } from '#kernel';

import { grantsOf, openGrant } from '../domain/activation-grants.js';
import { InvalidActivationCode } from '../domain/identity.errors.js';
import type { PersonalData } from '../domain/personal-data.js';
import type { PortalPersons } from '../portal-persons.js';
import type { Identities } from '../repositories/identities.js';
import type { PersonRecords } from '../repositories/person-records.js';

/** The name that a device of this person signs with. */
export type CodeHolder = Pick<PersonalData, 'givenName' | 'familyName'>;

export interface FindCodeHolderParts {
  readonly identities: Identities;
  readonly records: PersonRecords;
  readonly portalPersons: PortalPersons;
  /** With the purpose ACTIVATION_CODE. */
  readonly codes: LocatingTokens;
  readonly clock: Clock;
}

/** Tells a phone, before its enrolment, which person an activation code belongs to (specification/app.md#post-device-holder). The code stays usable. */
export class FindCodeHolder {
  constructor(private readonly parts: FindCodeHolderParts) {}

  /** Throws {@link InvalidActivationCode}. */
  async execute(activationCode: string): Promise<CodeHolder> {
    const { identities, records, portalPersons, codes, clock } = this.parts;
    const claim = codes.parse(activationCode);
    if (!claim) throw new InvalidActivationCode('not a code');
    const identityId = claim.id as IdentityId;
    const identity = await identities.get(identityId);
    const grantId = grantsOf(identity).find(({ id }) => codes.verify(claim, id))?.id;
    const isMember = grantId !== undefined && (await portalPersons.isMember(identityId));
    openGrant(identity, { grantId, now: clock.now(), isMember });
    const record = await records.read(identityId);
    if (!record) throw new InvalidActivationCode('erased meanwhile');
    const { givenName, familyName } = record.person;
    return { givenName, familyName };
  }
}
