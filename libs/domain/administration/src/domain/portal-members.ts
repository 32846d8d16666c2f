import { assertNever, type ClientId, type Decider, type DeviceId, InvalidRequest, type SubjectId } from '#kernel';

import { InvitationNotFound, MemberNotFound } from './portal-members.errors.js';
import { type InvitationId, type MembershipScope, PORTAL_MEMBERS_EVENTS, type PortalMembersEvent } from './portal-members.events.js';

/** An open invitation: neither used nor withdrawn. Times are epoch milliseconds. */
export interface Invitation {
  readonly invitationId: InvitationId;
  readonly label: string;
  readonly scope: MembershipScope;
  readonly hash: string;
  readonly by: string;
  /** The phone of the portal session in which it was made. Absent where a token made it. */
  readonly deviceId?: DeviceId;
  readonly at: number;
  readonly expiresAt: number;
}

/** One membership of a person. A person may belong to several clients, and to the staff. */
export interface Membership {
  /** The person, as the portal's own client knows them. */
  readonly subjectId: SubjectId;
  readonly label: string;
  readonly scope: MembershipScope;
  readonly since: number;
}

export interface MembersState {
  readonly memberships: readonly Membership[];
  readonly invitations: readonly Invitation[];
  /** Whether a person has ever joined the staff. */
  readonly hadStaff: boolean;
}

export type PortalMembersCommand =
  | (Omit<Invitation, 'at'> & { readonly type: 'Invite'; readonly now: number })
  | {
      readonly type: 'WithdrawInvitation';
      readonly now: number;
      readonly by: string;
      readonly invitationId: InvitationId;
      readonly clientId: ClientId | undefined;
    }
  /** `isVoid`: whether the maker of the invitation was erased, or the phone revoked with which it was made. */
  | { readonly type: 'Join'; readonly now: number; readonly hash: string; readonly subjectId: SubjectId; readonly isVoid: boolean }
  | {
      readonly type: 'Remove';
      readonly now: number;
      readonly by: string;
      /** All subjectIds of the person. */
      readonly names: readonly SubjectId[];
      readonly clientId: ClientId | undefined;
    }
  /** Takes the person out of every place, with the open invitations that the person made. */
  | { readonly type: 'RemovePerson'; readonly now: number; readonly by: string; readonly names: readonly SubjectId[] }
  | { readonly type: 'WithdrawInvitationsOfPhone'; readonly now: number; readonly by: string; readonly deviceId: DeviceId };

/** Open invitations and memberships of one client, or of the staff. */
const MOST = 100;
/** A name for a post. The store shows it in clear, so it is no place for a person's name. */
export const INVITATION_LABEL = /^[a-z0-9][a-z0-9._-]{2,63}$/;

/** The client of a membership; undefined for the staff. */
export const clientOf = (scope: MembershipScope): ClientId | undefined => ('clientId' in scope ? scope.clientId : undefined);

export const portalMembersDecider: Decider<MembersState, PortalMembersCommand, PortalMembersEvent> = {
  initial: { memberships: [], invitations: [], hadStaff: false },
  knows: PORTAL_MEMBERS_EVENTS,
  decide: (command, state) => {
    switch (command.type) {
      case 'Invite':
        return invite(command, state);
      case 'WithdrawInvitation':
        return withdraw(command, state);
      case 'Join':
        return join(command, state);
      case 'Remove':
        return remove(command, state);
      case 'RemovePerson':
        return removePerson(command, state);
      case 'WithdrawInvitationsOfPhone':
        return invitationsOf(command.deviceId, state).map(({ invitationId }) => ({
          type: 'InvitationWithdrawn',
          data: { at: command.now, by: command.by, invitationId },
        }));
      default:
        return assertNever(command);
    }
  },
  evolve: (state, event) => {
    switch (event.type) {
      case 'MemberInvited':
        return { ...state, invitations: [...state.invitations.filter(({ expiresAt }) => event.data.at < expiresAt), event.data] };
      case 'InvitationWithdrawn':
        return { ...state, invitations: state.invitations.filter(({ invitationId }) => invitationId !== event.data.invitationId) };
      case 'MemberJoined':
        return joined(state, event.data);
      case 'MemberRemoved': {
        const { subjectId, clientId } = event.data;
        const leaves = (scope: MembershipScope): boolean => clientOf(scope) === clientId;
        return {
          ...state,
          memberships: state.memberships.filter((each) => each.subjectId !== subjectId || !leaves(each.scope)),
          // A removed person must not come in again by an invitation of their own.
          invitations: state.invitations.filter(({ by }) => by !== subjectId),
        };
      }
      default:
        return assertNever(event);
    }
  },
};

const invite = ({ type: _, now, ...invitation }: PortalMembersCommand & { type: 'Invite' }, state: MembersState): PortalMembersEvent[] => {
  if (!INVITATION_LABEL.test(invitation.label))
    throw new InvalidRequest('`label` must have 3 to 64 of a-z 0-9 . _ - and begin with a letter or a digit.');
  const client = clientOf(invitation.scope);
  const there = [...state.memberships, ...state.invitations.filter(({ expiresAt }) => now < expiresAt)].filter(
    ({ scope }) => clientOf(scope) === client,
  );
  if (there.length >= MOST) throw new InvalidRequest(`There are ${MOST} members and invitations already; remove one first.`);
  return [{ type: 'MemberInvited', data: { at: now, ...invitation } }];
};

const withdraw = (
  { now, by, invitationId, clientId }: PortalMembersCommand & { type: 'WithdrawInvitation' },
  { invitations }: MembersState,
): PortalMembersEvent[] => {
  const open = invitations.find((each) => each.invitationId === invitationId && clientOf(each.scope) === clientId);
  if (!open) throw new InvitationNotFound('no open invitation of this id there');
  return [{ type: 'InvitationWithdrawn', data: { at: now, by, invitationId } }];
};

/** The open invitation whose code has this hash. */
export const openInvitation = ({ invitations }: MembersState, hash: string, now: number): Invitation | undefined =>
  invitations.find((each) => each.hash === hash && now < each.expiresAt);

/** The open invitations made with the phone. */
export const invitationsOf = (deviceId: DeviceId, { invitations }: MembersState): readonly Invitation[] =>
  invitations.filter((each) => each.deviceId === deviceId);

/** A code is used once, before its end. */
const join = ({ now, hash, subjectId, isVoid }: PortalMembersCommand & { type: 'Join' }, state: MembersState): PortalMembersEvent[] => {
  const open = openInvitation(state, hash, now);
  if (!open) throw new InvitationNotFound('the invitation is unknown, used, withdrawn or expired');
  if (isVoid) throw new InvitationNotFound('the maker of the invitation was erased, or the phone revoked with which it was made');
  return [{ type: 'MemberJoined', data: { at: now, invitationId: open.invitationId, subjectId } }];
};

/** One event for each subjectId of the person that is a member or made an open invitation: such invitations become void too. */
const remove = (
  { now, by, names, clientId }: PortalMembersCommand & { type: 'Remove' },
  { memberships, invitations }: MembersState,
): PortalMembersEvent[] => {
  const isMember = (name: SubjectId): boolean => memberships.some((each) => each.subjectId === name && clientOf(each.scope) === clientId);
  if (!names.some(isMember)) throw new MemberNotFound('no such member');
  return names
    .filter((name) => isMember(name) || invitations.some((each) => each.by === name))
    .map((subjectId) => ({ type: 'MemberRemoved', data: { at: now, by, subjectId, ...(clientId !== undefined && { clientId }) } }));
};

/** One event for each place of each subjectId. A subjectId without a place that has invited gets one event too, which voids its invitations. */
const removePerson = (
  { now, by, names }: PortalMembersCommand & { type: 'RemovePerson' },
  { memberships, invitations }: MembersState,
): PortalMembersEvent[] =>
  names.flatMap((subjectId) => {
    const places = memberships.filter((each) => each.subjectId === subjectId).map(({ scope }) => clientOf(scope));
    const hasInvited = invitations.some((each) => each.by === subjectId);
    return (places.length === 0 && hasInvited ? [undefined] : places).map((clientId) => ({
      type: 'MemberRemoved',
      data: { at: now, by, subjectId, ...(clientId !== undefined && { clientId }) },
    }));
  });

/** A second invitation to the same place replaces the membership, with the roles of both. */
const joined = (
  state: MembersState,
  { at: since, invitationId, subjectId }: (PortalMembersEvent & { type: 'MemberJoined' })['data'],
): MembersState => {
  const used = state.invitations.find((each) => each.invitationId === invitationId);
  if (!used) return state;
  const { label, scope } = used;
  const before = state.memberships.find((each) => each.subjectId === subjectId && clientOf(each.scope) === clientOf(scope));
  const united = before && 'roles' in before.scope && 'roles' in scope ? { roles: [...new Set([...before.scope.roles, ...scope.roles])] } : scope;
  return {
    memberships: [...state.memberships.filter((each) => each !== before), { subjectId, label, scope: united, since }],
    invitations: state.invitations.filter((each) => each !== used),
    hadStaff: state.hadStaff || 'roles' in scope,
  };
};
