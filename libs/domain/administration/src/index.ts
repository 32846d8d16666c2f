export { administrationUseCases } from './administration-use-cases.js';
export type { ApprovalSessions } from './approval/approval-sessions.js';
export { ChangeApprovals, type MadeApproval } from './approval/change-approvals.js';
export { changeDigest, type ChangeWords, type SentChange, type TouchedVersions } from './approval/change-terms.js';
export { type Touched, TouchedObjects } from './approval/touched.js';
export { AuditTrail } from './audit/audit-trail.js';
export { recordOwnChange } from './audit/record-own-change.js';
export { BreakGlassRequests } from './break-glass/break-glass-requests.js';
export { UseBreakGlass } from './break-glass/use-break-glass.js';
export { WatchBreakGlass } from './break-glass/watch-break-glass.js';
export { LossRequestRefused } from './domain/loss-request.js';
export { LossRequests } from './loss-acceptance/loss-requests.js';
export { BreakGlassRefused } from './domain/break-glass.js';
export type { AdminChange, AuditTarget } from './audit/audit-events.js';
export { type ForwardedEntry, ForwardingTarget, TargetUnavailable } from './forwarding/forwarding-target.js';
export { ForwardAuditTrail } from './forwarding/forward-audit-trail.js';
export { checkSavedEntry, EntryRefused, type SavedEntry } from './audit/check-saved-entry.js';
export { type AuditEntry, ListAuditEntries } from './audit/list-audit-entries.js';
export {
  ADMIN_ROLES,
  type Administrator,
  type AdminRole,
  FIRST_START,
  type HumanAdministrator,
  TEAM_ROLES,
  type TeamRole,
  type TokenReach,
} from './domain/administrator.js';
export { TOKEN_NAME } from './domain/admin-token.js';
export { AdminTokenNotFound, ApprovalNotFound, ApprovalOutdated, ApprovalRequired } from './domain/admin-token.errors.js';
export type { AdminTokenId } from './domain/admin-token.events.js';
export type { Team } from './domain/portal-membership.js';
export { INVITATION_LABEL } from './domain/portal-members.js';
export { InvitationNotFound, MemberNotFound, PortalSessionNotFound } from './domain/portal-members.errors.js';
export type { InvitationId } from './domain/portal-members.events.js';
export { AuthorityProof } from './repositories/authority-proof.js';
export { AbandonedTokens } from './repositories/abandoned-tokens.js';
export { AddAdminToken } from './use-cases/add-admin-token.js';
export { type ListedAdminToken, ListAdminTokens } from './use-cases/list-admin-tokens.js';
export { type Invited, PortalMembers } from './repositories/portal-members.js';
export { type MembersPhone, PortalPhones } from './repositories/portal-phones.js';
export { type PortalPerson, PortalSessions } from './repositories/portal-sessions.js';
export { type ApprovedChange, CompleteApproval } from './use-cases/complete-approval.js';
export { type NewPhone, NewPhones } from './repositories/new-phones.js';
export { MembersOwnPhones } from './repositories/members-own-phones.js';
export { enrollerName } from './domain/enroller.js';
export { RevokeAdminToken } from './use-cases/revoke-admin-token.js';
export { ADMINISTRATION_STREAMS, PORTAL_PHONES, type PortalSessionId } from './streams.js';
