import type { SubjectNames } from '#domain/identity';
import type { SubjectId } from '#kernel';

import type { MembershipScope } from '../domain/portal-members.events.js';
import type { MembersState } from '../domain/portal-membership.js';
import { holdersOfSecurity } from '../domain/portal-roles.js';

/** The persons who have to hold `security` at one time before the first start is over for ever. */
export class FirstHolders {
  constructor(
    private readonly names: Pick<SubjectNames, 'ofSubject'>,
    private readonly count: number,
  ) {}

  /** Whether enough persons hold `security` once this person has these rights. */
  async endFirstStart(state: MembersState, subjectId: SubjectId, scope: MembershipScope): Promise<boolean> {
    if (state.firstStartEnded || !('roles' in scope) || !scope.roles.includes('security')) return false;
    return this.areEnough([...holdersOfSecurity(state), subjectId]);
  }

  /** A person with two subjectIds counts once. */
  async areEnough(holders: readonly SubjectId[]): Promise<boolean> {
    const persons = await Promise.all(holders.map(async (each) => (await this.names.ofSubject(each))[0]));
    return new Set(persons).size >= this.count;
  }
}
