import { assertNever } from '#kernel';

import type { MembershipScope, PortalMembersEvent } from './portal-members.events.js';
import { clientOf, type Membership, type MembersState } from './portal-membership.js';

type DataOf<Type extends PortalMembersEvent['type']> = Extract<PortalMembersEvent, { type: Type }>['data'];

export const evolveMembers = (state: MembersState, event: PortalMembersEvent): MembersState => {
  switch (event.type) {
    case 'MemberInvited':
      return { ...state, invitations: [...state.invitations.filter(({ expiresAt }) => event.data.at < expiresAt), event.data] };
    case 'InvitationWithdrawn':
      return { ...state, invitations: state.invitations.filter(({ invitationId }) => invitationId !== event.data.invitationId) };
    case 'MemberJoined':
      return joined(state, event.data);
    case 'MemberRemoved':
      return removed(state, event.data);
    case 'MemberRoleChanged':
      return roleChanged(state, event.data);
    case 'FirstStartEnded':
      return { ...state, firstStartEnded: true, firstStartReopened: false };
    case 'FirstStartReopened':
      return { ...state, firstStartEnded: false, firstStartReopened: true };
    default:
      return assertNever(event);
  }
};

/** A removed person must not come in again by an invitation that was made by the same place. Invitations by other places stay. */
const removed = (state: MembersState, { subjectId, clientId }: DataOf<'MemberRemoved'>): MembersState => ({
  ...state,
  memberships: state.memberships.filter((each) => each.subjectId !== subjectId || clientOf(each.scope) !== clientId),
  invitations: state.invitations.filter(({ by, through }) => by !== subjectId || through !== clientId),
});

/** With fewer rights, the invitations that the person made by this place end. */
const roleChanged = (state: MembersState, { subjectId, scope }: DataOf<'MemberRoleChanged'>): MembersState => {
  const client = clientOf(scope);
  const isPlace = (each: Membership): boolean => each.subjectId === subjectId && clientOf(each.scope) === client;
  const keeps = state.memberships.filter(isPlace).every((each) => holds(scope, each.scope));
  return {
    ...state,
    memberships: state.memberships.map((each) => (isPlace(each) ? { ...each, scope } : each)),
    invitations: keeps ? state.invitations : state.invitations.filter(({ by, through }) => by !== subjectId || through !== client),
  };
};

/** Whether the rights hold all the former ones. */
const holds = (scope: MembershipScope, former: MembershipScope): boolean =>
  'roles' in scope && 'roles' in former
    ? former.roles.every((role) => scope.roles.includes(role))
    : 'role' in scope && (scope.role === 'owner' || ('role' in former && former.role === scope.role));

/**
 * A second invitation to the same place, used by the same phone, replaces the membership: staff gets the roles of both, and who led the place before still does. By another phone it
 * is another membership: otherwise that phone would get the rights of the first one.
 */
const joined = (state: MembersState, { at: since, invitationId, subjectId, deviceId }: DataOf<'MemberJoined'>): MembersState => {
  const used = state.invitations.find((each) => each.invitationId === invitationId);
  if (!used) return state;
  const { label, scope } = used;
  const before = state.memberships.find(
    (each) => each.subjectId === subjectId && clientOf(each.scope) === clientOf(scope) && each.deviceId === deviceId,
  );
  return {
    ...state,
    memberships: [...state.memberships.filter((each) => each !== before), { subjectId, label, scope: united(before?.scope, scope), since, deviceId }],
    invitations: state.invitations.filter((each) => each !== used),
    hadStaff: state.hadStaff || 'roles' in scope,
  };
};

const united = (before: MembershipScope | undefined, scope: MembershipScope): MembershipScope => {
  if (!before) return scope;
  if ('roles' in before && 'roles' in scope) return { roles: [...new Set([...before.roles, ...scope.roles])] };
  return holds(before, scope) ? before : scope;
};
