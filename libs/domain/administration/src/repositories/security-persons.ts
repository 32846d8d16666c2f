import type { IdentityId, SubjectId } from '#kernel';

import type { PortalMembers } from './portal-members.js';
import type { PortalPhones } from './portal-phones.js';

export interface SecurityParts {
  readonly members: Pick<PortalMembers, 'team' | 'of' | 'personOf'>;
  readonly phones: Pick<PortalPhones, 'list'>;
}

/** A person with `security`, and the portal's ids of the phones that may act there. */
export interface SecurityPerson {
  readonly identityId: IdentityId;
  readonly subjectId: SubjectId;
  readonly phoneIds: readonly string[];
  /** Whether one of the phones may act, or may after its waiting time. */
  readonly isReachable: boolean;
}

/** The living persons with `security`. Throws ServiceUnavailable and NewerEventStored. */
export const securityPersons = async ({ members, phones }: SecurityParts): Promise<readonly SecurityPerson[]> => {
  const persons: SecurityPerson[] = [];
  for (const { subjectId, scope } of (await members.team(undefined)).members) {
    if (!('roles' in scope) || !scope.roles.includes('security')) continue;
    const identityId = await members.personOf(subjectId);
    if (!identityId) continue;
    const memberships = (await members.of(identityId)).filter((each) => 'roles' in each.scope && each.scope.roles.includes('security'));
    const all = await phones.list(identityId, memberships);
    persons.push({
      identityId,
      subjectId: subjectId as SubjectId,
      phoneIds: all.filter(({ trusted }) => trusted).map(({ phoneId }) => phoneId),
      isReachable: all.some(({ trusted, trustedFrom }) => trusted || trustedFrom !== undefined),
    });
  }
  return persons;
};
