import type { SubjectId } from '#kernel';

import { LastOwner, MemberNotFound } from './portal-members.errors.js';
import type { MembershipScope, PortalMembersEvent } from './portal-members.events.js';
import { clientOf, leads, type Membership, type MembersState } from './portal-membership.js';

export interface ChangeRole {
  readonly type: 'ChangeRole';
  readonly now: number;
  readonly by: string;
  /** All subjectIds of the person. */
  readonly names: readonly SubjectId[];
  readonly scope: MembershipScope;
  /** As for a membership that begins. */
  readonly endsFirstStart: boolean;
}

/** Throws {@link LastOwner} when no other membership leads their place. */
export const assertKeepsOwner = ({ memberships }: MembersState, ending: readonly Membership[]): void => {
  const leading = ending.find(({ scope }) => leads(scope));
  if (!leading) return;
  const client = clientOf(leading.scope);
  const others = memberships.filter((each) => !ending.includes(each) && clientOf(each.scope) === client && leads(each.scope));
  if (others.length === 0) throw new LastOwner(client === undefined);
};

/** The subjectIds of those who hold `security`. */
export const holdersOfSecurity = ({ memberships }: MembersState): readonly SubjectId[] =>
  memberships.filter(({ scope }) => 'roles' in scope && scope.roles.includes('security')).map(({ subjectId }) => subjectId);

/** One event for each subjectId of the person that is a member there. Nothing for the rights that the person has. */
export const changeRole = ({ now, by, names, scope, endsFirstStart }: ChangeRole, state: MembersState): PortalMembersEvent[] => {
  const places = state.memberships.filter((each) => names.includes(each.subjectId) && clientOf(each.scope) === clientOf(scope));
  if (places.length === 0) throw new MemberNotFound('no such member');
  if (places.every((each) => isSame(each.scope, scope))) return [];
  if (!leads(scope)) assertKeepsOwner(state, places);
  const changed = places.map(({ subjectId }): PortalMembersEvent => ({ type: 'MemberRoleChanged', data: { at: now, by, subjectId, scope } }));
  return endsFirstStart && !state.firstStartEnded ? [...changed, { type: 'FirstStartEnded', data: { at: now } }] : changed;
};

const isSame = (one: MembershipScope, other: MembershipScope): boolean =>
  'roles' in one && 'roles' in other
    ? one.roles.length === other.roles.length && one.roles.every((role) => other.roles.includes(role))
    : 'role' in one && 'role' in other && one.role === other.role;
