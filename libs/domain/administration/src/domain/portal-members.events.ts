import { type Brand, type ClientId, type DeviceId, type DomainEvent, knownEvents, type SubjectId } from '#kernel';

import type { AdminRole } from './administrator.js';

export type InvitationId = Brand<string, 'InvitationId'>;

/** The rights that a membership gives: roles of staff, or the membership of one relying party. */
export type MembershipScope = { readonly roles: readonly AdminRole[] } | { readonly clientId: ClientId };

/**
 * The events of the stream `portalmembers-all`. Times are epoch milliseconds. `by`: the id of an administrator or member; `erasure` or `revocation` where the erasure of a
 * person, or the revocation of a phone, led to the event.
 */
export type PortalMembersEvent =
  /**
   * `hash`: base64url of the SHA-256 of the code in the link. `label`: names a post, not a person. `deviceId`: the phone of the portal session in which it was made; absent
   * where a token made it.
   */
  | DomainEvent<
      'MemberInvited',
      {
        readonly at: number;
        readonly by: string;
        readonly deviceId?: DeviceId;
        readonly invitationId: InvitationId;
        readonly hash: string;
        readonly label: string;
        readonly scope: MembershipScope;
        readonly expiresAt: number;
      }
    >
  | DomainEvent<'InvitationWithdrawn', { readonly at: number; readonly by: string; readonly invitationId: InvitationId }>
  | DomainEvent<'MemberJoined', { readonly at: number; readonly invitationId: InvitationId; readonly subjectId: SubjectId }>
  /** `clientId` absent: the person leaves the staff. */
  | DomainEvent<'MemberRemoved', { readonly at: number; readonly by: string; readonly subjectId: SubjectId; readonly clientId?: ClientId }>;

export const PORTAL_MEMBERS_EVENTS = knownEvents<PortalMembersEvent>(1, {
  MemberInvited: true,
  InvitationWithdrawn: true,
  MemberJoined: true,
  MemberRemoved: true,
});
