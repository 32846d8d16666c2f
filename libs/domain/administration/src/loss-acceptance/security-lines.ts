import { type IdentityId, sha256Base64url, type SubjectId } from '#kernel';

import type { PortalMembers } from '../repositories/portal-members.js';
import type { PortalPhones } from '../repositories/portal-phones.js';

export interface SecurityParts {
  readonly members: Pick<PortalMembers, 'team' | 'of' | 'personOf'>;
  readonly phones: Pick<PortalPhones, 'list'>;
}

/** A person with `security`, and the portal's ids of the phones that may act there. */
export interface SecurityPerson {
  readonly identityId: IdentityId;
  readonly subjectId: SubjectId;
  readonly phoneIds: readonly string[];
}

/** The living persons with `security`. Throws ServiceUnavailable and NewerEventStored. */
export const securityPersons = async ({ members, phones }: SecurityParts): Promise<readonly SecurityPerson[]> => {
  const persons: SecurityPerson[] = [];
  for (const { subjectId, scope } of (await members.team(undefined)).members) {
    if (!('roles' in scope) || !scope.roles.includes('security')) continue;
    const identityId = await members.personOf(subjectId);
    if (!identityId) continue;
    const memberships = (await members.of(identityId)).filter((each) => 'roles' in each.scope && each.scope.roles.includes('security'));
    const usable = (await phones.list(identityId, memberships)).filter(({ trusted }) => trusted);
    persons.push({ identityId, subjectId: subjectId as SubjectId, phoneIds: usable.map(({ phoneId }) => phoneId) });
  }
  return persons;
};

const LINE = 'security';

/** The lines of a checkpoint that say who may accept a loss: a hash of the person's id, and the portal's ids of the phones. */
export const securityLines = async (parts: SecurityParts): Promise<readonly string[]> =>
  (await securityPersons(parts)).map(({ identityId, phoneIds }) => [LINE, nameOf(identityId), ...phoneIds].join(' '));

/** The portal's ids of the phones by which the person could act when these lines were signed. */
export const phonesIn = (lines: readonly string[], identityId: IdentityId): readonly string[] =>
  lines
    .map((line) => line.split(' '))
    .filter(([word, name]) => word === LINE && name === nameOf(identityId))
    .flatMap(([, , ...phoneIds]) => phoneIds);

const nameOf = (identityId: IdentityId): string => sha256Base64url(`security ${identityId}`);
