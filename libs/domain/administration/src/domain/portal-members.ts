import { assertNever, type ClientId, type Decider, type DeviceId, InvalidRequest, type SubjectId } from '#kernel';

import { InvitationNotFound, MemberNotFound } from './portal-members.errors.js';
import { type InvitationId, PORTAL_MEMBERS_EVENTS, type PortalMembersEvent } from './portal-members.events.js';
import { evolveMembers } from './portal-members.evolve.js';
import { clientOf, type Invitation, type MembersState } from './portal-membership.js';
import { assertKeepsOwner, type ChangeRole, changeRole } from './portal-roles.js';

export type PortalMembersCommand =
  | (Omit<Invitation, 'at'> & { readonly type: 'Invite'; readonly now: number })
  | {
      readonly type: 'WithdrawInvitation';
      readonly now: number;
      readonly by: string;
      readonly invitationId: InvitationId;
      readonly clientId: ClientId | undefined;
    }
  /**
   * `isVoid`: whether the maker of the invitation was erased, or the phone revoked with which it was made. `endsFirstStart`: whether the first start is over with a
   * membership of these rights.
   */
  | {
      readonly type: 'Join';
      readonly now: number;
      readonly hash: string;
      readonly subjectId: SubjectId;
      readonly deviceId: DeviceId;
      readonly isVoid: boolean;
      readonly endsFirstStart: boolean;
    }
  | {
      readonly type: 'Remove';
      readonly now: number;
      readonly by: string;
      /** All subjectIds of the person. */
      readonly names: readonly SubjectId[];
      readonly clientId: ClientId | undefined;
    }
  | ChangeRole
  /** Takes the person out of every place, with the open invitations that the person made. */
  | { readonly type: 'RemovePerson'; readonly now: number; readonly by: string; readonly names: readonly SubjectId[] }
  /** `only`: those alone that were made by the role in this team; in that of the staff where `through` is undefined. */
  | {
      readonly type: 'WithdrawInvitationsOfPhone';
      readonly now: number;
      readonly by: string;
      readonly deviceId: DeviceId;
      readonly only?: { readonly through: ClientId | undefined };
    }
  | { readonly type: 'ReopenFirstStart'; readonly now: number }
  /** `isHeld`: whether enough persons hold `security`. */
  | { readonly type: 'EndFirstStart'; readonly now: number; readonly isHeld: boolean };

/** Open invitations and memberships of one client, or of the staff. */
const MOST = 100;
/** A name for a post. The store shows it in clear, so it is no place for a person's name. */
export const INVITATION_LABEL = /^[a-z0-9][a-z0-9._-]{2,63}$/;

export const portalMembersDecider: Decider<MembersState, PortalMembersCommand, PortalMembersEvent> = {
  initial: { memberships: [], invitations: [], hadStaff: false, firstStartEnded: false, firstStartReopened: false },
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
      case 'ChangeRole':
        return changeRole(command, state);
      case 'RemovePerson':
        return removePerson(command, state);
      case 'WithdrawInvitationsOfPhone':
        return invitationsOf(command.deviceId, state)
          .filter(({ through }) => !command.only || through === command.only.through)
          .map(({ invitationId }) => ({ type: 'InvitationWithdrawn', data: { at: command.now, by: command.by, invitationId } }));
      case 'ReopenFirstStart':
        return state.firstStartEnded ? [{ type: 'FirstStartReopened', data: { at: command.now } }] : [];
      case 'EndFirstStart':
        return mayEndFirstStart(state) && command.isHeld ? [{ type: 'FirstStartEnded', data: { at: command.now } }] : [];
      default:
        return assertNever(command);
    }
  },
  evolve: evolveMembers,
};

/** Whether those who hold `security` end the first start without another one who joins them. */
export const mayEndFirstStart = ({ firstStartEnded, firstStartReopened }: MembersState): boolean => !firstStartEnded && !firstStartReopened;

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
const join = (command: PortalMembersCommand & { type: 'Join' }, state: MembersState): PortalMembersEvent[] => {
  const { now, hash, subjectId, deviceId, isVoid, endsFirstStart } = command;
  const open = openInvitation(state, hash, now);
  if (!open) throw new InvitationNotFound('the invitation is unknown, used, withdrawn or expired');
  if (isVoid) throw new InvitationNotFound('the maker of the invitation was erased, or the phone revoked with which it was made');
  const joined: PortalMembersEvent = { type: 'MemberJoined', data: { at: now, invitationId: open.invitationId, subjectId, deviceId } };
  return endsFirstStart && !state.firstStartEnded ? [joined, { type: 'FirstStartEnded', data: { at: now } }] : [joined];
};

/** One event for each subjectId of the person that is a member. The open invitations that the person made by this place become void with it. */
const remove = ({ now, by, names, clientId }: PortalMembersCommand & { type: 'Remove' }, state: MembersState): PortalMembersEvent[] => {
  const places = state.memberships.filter((each) => names.includes(each.subjectId) && clientOf(each.scope) === clientId);
  if (places.length === 0) throw new MemberNotFound('no such member');
  assertKeepsOwner(state, places);
  return names.flatMap((subjectId) => {
    const concerned = places.some((each) => each.subjectId === subjectId) || invitedThrough(state, subjectId, clientId);
    return concerned ? [{ type: 'MemberRemoved', data: { at: now, by, subjectId, ...(clientId !== undefined && { clientId }) } }] : [];
  });
};

const invitedThrough = ({ invitations }: MembersState, subjectId: SubjectId, clientId: ClientId | undefined): boolean =>
  invitations.some((each) => each.by === subjectId && each.through === clientId);

/** One event for each place of each subjectId, also for a place in which the person is no member any more but has invited. */
const removePerson = ({ now, by, names }: PortalMembersCommand & { type: 'RemovePerson' }, state: MembersState): PortalMembersEvent[] =>
  names.flatMap((subjectId) => {
    const places = state.memberships.filter((each) => each.subjectId === subjectId).map(({ scope }) => clientOf(scope));
    const invited = state.invitations.filter((each) => each.by === subjectId).map(({ through }) => through);
    return [...new Set([...places, ...invited])].map((clientId) => ({
      type: 'MemberRemoved',
      data: { at: now, by, subjectId, ...(clientId !== undefined && { clientId }) },
    }));
  });
