import { type Brand, type ClientId, type DeviceId, type DomainEvent, type IdentityId, knownEvents, type SubjectId } from '#kernel';

import type { AdminRole, TeamRole } from './administrator.js';

export type InvitationId = Brand<string, 'InvitationId'>;

/** The rights that a membership gives: roles of staff, or a role in the team of one relying party. */
export type MembershipScope = { readonly roles: readonly AdminRole[] } | { readonly clientId: ClientId; readonly role: TeamRole };

/**
 * The events of the stream `portalmembers-all`. Times are epoch milliseconds. `by`: the id of an administrator or member; `erasure` or `revocation` where the erasure of a
 * person, or the revocation of a phone, led to the event.
 */
export type PortalMembersEvent =
  /**
   * `hash`: base64url of the SHA-256 of the code in the link. `label`: names a post, not a person. `deviceId`: the phone of the portal session in which it was made; absent
   * where a token made it. `through`: the team by whose role its maker could invite; absent: the staff's, or a token's.
   */
  | DomainEvent<
      'MemberInvited',
      {
        readonly at: number;
        readonly by: string;
        readonly deviceId?: DeviceId;
        readonly through?: ClientId;
        /** The person for whom alone it is. Absent: for the first who uses it. */
        readonly identityId?: IdentityId;
        readonly invitationId: InvitationId;
        readonly hash: string;
        readonly label: string;
        readonly scope: MembershipScope;
        readonly expiresAt: number;
      }
    >
  | DomainEvent<'InvitationWithdrawn', { readonly at: number; readonly by: string; readonly invitationId: InvitationId }>
  /** `deviceId`: the phone by which the person has joined. The membership belongs to the person by this phone. */
  | DomainEvent<
      'MemberJoined',
      { readonly at: number; readonly invitationId: InvitationId; readonly subjectId: SubjectId; readonly deviceId: DeviceId }
    >
  /** `clientId` absent: the person leaves the staff. */
  | DomainEvent<'MemberRemoved', { readonly at: number; readonly by: string; readonly subjectId: SubjectId; readonly clientId?: ClientId }>
  /** The member keeps the place, with these rights in place of the former ones. */
  | DomainEvent<'MemberRoleChanged', { readonly at: number; readonly by: string; readonly subjectId: SubjectId; readonly scope: MembershipScope }>
  /** Enough living persons hold `security`: `ADMIN_TOKEN` has no special right any more. */
  | DomainEvent<'FirstStartEnded', { readonly at: number }>
  /** A way back was opened with the keys of the service: `ADMIN_TOKEN` leads to administrators again. */
  | DomainEvent<'FirstStartReopened', { readonly at: number }>;

export const PORTAL_MEMBERS_EVENTS = knownEvents<PortalMembersEvent>(1, {
  MemberInvited: true,
  InvitationWithdrawn: true,
  MemberJoined: true,
  MemberRemoved: true,
  MemberRoleChanged: true,
  FirstStartEnded: true,
  FirstStartReopened: true,
});
