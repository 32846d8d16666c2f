import type { ClientId, DeviceId, IdentityId, SubjectId } from '#kernel';

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
}

/** The client of a membership; undefined for the staff. */
export const clientOf = (scope: MembershipScope): ClientId | undefined => ('clientId' in scope ? scope.clientId : undefined);

/** Whether a membership of these rights leads the place: it may give rights to others there. */
export const leads = (scope: MembershipScope): boolean => ('roles' in scope ? scope.roles.includes('security') : scope.role === 'owner');
