import type { ClientId, DeviceId, IdentityId, SubjectId } from '#kernel';

import { type AdminRole, TEAM_ROLES, type TeamMembership } from './administrator.js';
import type { InvitationId, MembershipScope } from './portal-members.events.js';

/** An open invitation: neither used nor withdrawn. Times are epoch milliseconds. */
export interface Invitation {
  readonly invitationId: InvitationId;
  readonly label: string;
  readonly scope: MembershipScope;
  readonly hash: string;
  readonly by: string;
  /** The phone of the portal session in which it was made. Absent where a token made it. */
  readonly deviceId?: DeviceId;
  /** The team by whose role its maker could invite. Absent: the staff's, or a token's. */
  readonly through?: ClientId;
  /** The person for whom alone it is. Absent: for the first who uses it. */
  readonly identityId?: IdentityId;
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
  /** The phone by which the person has joined. */
  readonly deviceId: DeviceId;
}

export interface MembersState {
  readonly memberships: readonly Membership[];
  readonly invitations: readonly Invitation[];
  /** Whether a person has ever joined the staff. */
  readonly hadStaff: boolean;
  /** Whether the first start is over: enough persons have held `security` at one time. */
  readonly firstStartEnded: boolean;
  /** Whether a way back has begun it again, so that those who held `security` before do not end it. */
  readonly firstStartReopened: boolean;
}

/** The client of a membership; undefined for the staff. */
export const clientOf = (scope: MembershipScope): ClientId | undefined => ('clientId' in scope ? scope.clientId : undefined);

export interface Team {
  readonly members: readonly Membership[];
  readonly invitations: readonly Pick<Invitation, 'invitationId' | 'label' | 'scope' | 'expiresAt'>[];
}

/** The members and open invitations of a client; of the staff where it is undefined. */
export const teamOf = ({ memberships, invitations }: MembersState, clientId: ClientId | undefined, now: number): Team => ({
  members: memberships.filter(({ scope }) => clientOf(scope) === clientId),
  invitations: invitations.filter(({ scope, expiresAt }) => clientOf(scope) === clientId && now < expiresAt),
});

/** Where a person is a member: the team of a client, by its id, or the staff. */
export type PortalPlace = ClientId | 'staff';

export const placeOf = (scope: MembershipScope): PortalPlace => clientOf(scope) ?? 'staff';

/** Whether a membership of these rights leads the place: it may give rights to others there. */
export const leads = (scope: MembershipScope): boolean => ('roles' in scope ? scope.roles.includes('security') : scope.role === 'owner');

/** What a person may do by memberships. */
export interface PortalRights {
  readonly roles: readonly AdminRole[];
  readonly teams: readonly TeamMembership[];
}

/** Of several memberships of one team, the one with the most rights counts. */
export const rightsOf = (memberships: readonly Membership[]): PortalRights => {
  const scopes = memberships.map(({ scope }) => scope);
  const teams = new Map<ClientId, TeamMembership>();
  for (const scope of scopes) {
    if (!('clientId' in scope)) continue;
    const before = teams.get(scope.clientId);
    if (!before || TEAM_ROLES.indexOf(before.role) < TEAM_ROLES.indexOf(scope.role)) teams.set(scope.clientId, scope);
  }
  return {
    roles: [...new Set(scopes.flatMap((scope): readonly AdminRole[] => ('roles' in scope ? scope.roles : [])))],
    teams: [...teams.values()],
  };
};
