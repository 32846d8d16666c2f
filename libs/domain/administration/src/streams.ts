import { type Brand, type DeviceId, type DomainEvent, type IdentityId, knownEvents, type SessionId, type SubjectId } from '#kernel';
import { DeclaredStreams } from '#engines/event-store';

import type { AuditEvent } from './audit/audit-events.js';
import { ADMIN_TOKEN_EVENTS } from './domain/admin-token.events.js';
import { BREAK_GLASS_EVENTS } from './domain/break-glass.js';
import { LOSS_REQUEST_EVENTS } from './domain/loss-request.js';
import { APPROVAL_EVENTS } from './domain/open-approvals.js';
import { PORTAL_MEMBERS_EVENTS } from './domain/portal-members.events.js';
import { PORTAL_PHONES_EVENTS } from './domain/portal-phones.js';

const owner = 'libs/domain/administration';
/** A day, in seconds. */
const DAY = 24 * 3_600;

const AUDIT_EVENTS = knownEvents<AuditEvent>(1, { AdminChangeBegun: true, AdminChangeApproved: true, AdminChangeEnded: true });

export const AUDIT_TRAIL = new DeclaredStreams({
  category: 'audit',
  owner,
  ids: ['log'],
  events: AUDIT_EVENTS,
  metadata: ['dataHash'],
  sealed: false,
  guarded: [...AUDIT_EVENTS.types],
  watched: true,
});
export const AUDIT_STREAM = AUDIT_TRAIL.of('log');

/** Another system has taken the audit trail up to this entry. `at`: epoch milliseconds. */
export type AuditForwarded = DomainEvent<'AuditForwarded', { readonly at: number; readonly sequence: number; readonly eventId: string }>;

/** Up to where each target has the audit trail. */
export const AUDIT_FORWARDING = new DeclaredStreams({
  category: 'auditforwarding',
  owner,
  ids: ['otlp', 'webhook'],
  events: knownEvents<AuditForwarded>(1, { AuditForwarded: true }),
  retention: { maxCount: 1 },
  sealed: false,
  guarded: [],
});

/** The named tokens, in one stream: there are few, and each look-up wants all of them. */
export const ADMIN_TOKENS = new DeclaredStreams({
  category: 'admintokens',
  owner,
  ids: ['all'],
  events: ADMIN_TOKEN_EVENTS,
  sealed: false,
  guarded: [...ADMIN_TOKEN_EVENTS.types],
});

export const PORTAL_MEMBERS = new DeclaredStreams({
  category: 'portalmembers',
  owner,
  ids: ['all'],
  events: PORTAL_MEMBERS_EVENTS,
  sealed: false,
  guarded: [...PORTAL_MEMBERS_EVENTS.types],
});

/** Who was asked to approve one change. The audit trail keeps what they have signed. */
export const APPROVALS = new DeclaredStreams({
  category: 'approval',
  owner,
  ids: ['<digest of the change>'],
  events: APPROVAL_EVENTS,
  retention: { maxAge: DAY },
  sealed: false,
  guarded: [],
});

/** The event of a stream `changerequest-<approvalId>`. Times are epoch milliseconds. `sealed`: the request, see change-approvals.ts. */
export type ChangeRequestEvent = DomainEvent<
  'ChangeRequested',
  {
    readonly at: number;
    readonly expiresAt: number;
    readonly sessionId: SessionId;
    /** The session of the portal in which it was asked for, and which alone may carry it out. */
    readonly portalSessionId: string;
    readonly identityId: IdentityId;
    readonly digest: string;
    /** Whether a second person has to approve it. */
    readonly fourEyes: boolean;
    readonly sealed: string;
  }
>;

/** The changes that wait for an approval on the phone. */
export const CHANGE_REQUESTS = new DeclaredStreams({
  category: 'changerequest',
  owner,
  ids: ['<approvalId>'],
  events: knownEvents<ChangeRequestEvent>(1, { ChangeRequested: true }),
  retention: { maxAge: DAY },
  sealed: true,
  guarded: [],
});

export type PortalSessionId = Brand<string, 'PortalSessionId'>;

export type PortalSessionTerms = {
  readonly begunAt: number;
  readonly subjectId: SubjectId;
  readonly identityId: IdentityId;
  /** The phone that approved the login. */
  readonly deviceId: DeviceId;
  readonly expiresAt: number;
};

/** The events of a stream `portalsession-<uuid>`. Times are epoch milliseconds. The last event is the whole state. */
export type PortalSessionEvent =
  /** The cookie is derived from the id of this event. */
  | DomainEvent<'PortalSessionBegun', { readonly at: number } & PortalSessionTerms>
  /** `begun`: the id of PortalSessionBegun. */
  | DomainEvent<'PortalSessionUsed', { readonly at: number; readonly begun: string } & PortalSessionTerms>
  | DomainEvent<'PortalSessionEnded', { readonly at: number }>;

export const PORTAL_SESSION_EVENTS = knownEvents<PortalSessionEvent>(1, {
  PortalSessionBegun: true,
  PortalSessionUsed: true,
  PortalSessionEnded: true,
});

export const PORTAL_SESSIONS = new DeclaredStreams({
  category: 'portalsession',
  owner,
  ids: ['<uuid>'],
  events: PORTAL_SESSION_EVENTS,
  retention: { maxAge: DAY },
  sealed: false,
  guarded: [],
});

/** The event of a stream `portallogins-<identityId>`, by which a person finds the own sessions. */
export type PortalLoginEvent = DomainEvent<'PortalLoginNoted', { readonly at: number; readonly sessionId: PortalSessionId }>;

export const PORTAL_LOGINS = new DeclaredStreams({
  category: 'portallogins',
  owner,
  ids: ['<identityId>'],
  events: knownEvents<PortalLoginEvent>(1, { PortalLoginNoted: true }),
  retention: { maxAge: DAY },
  sealed: false,
  guarded: [],
});

/** Which phones of a member may act in the portal beside the one of the joining. */
export const PORTAL_PHONES = new DeclaredStreams({
  category: 'portalphones',
  owner,
  ids: ['<identityId>'],
  events: PORTAL_PHONES_EVENTS,
  retention: { tombstoned: 'when the person is erased' },
  sealed: false,
  guarded: [...PORTAL_PHONES_EVENTS.types],
});

/** The way back when no person with `security` can act: one at a time, in one stream. */
export const BREAK_GLASS = new DeclaredStreams({
  category: 'breakglass',
  owner,
  ids: ['all'],
  events: BREAK_GLASS_EVENTS,
  sealed: false,
  guarded: [...BREAK_GLASS_EVENTS.types],
});

/** The request to go on without guarded events that the store has lost: one at a time, in one stream. */
export const LOSS_REQUESTS = new DeclaredStreams({
  category: 'historyrequest',
  owner,
  ids: ['all'],
  events: LOSS_REQUEST_EVENTS,
  sealed: false,
  guarded: [...LOSS_REQUEST_EVENTS.types],
});

export const ADMINISTRATION_STREAMS = [
  AUDIT_TRAIL,
  AUDIT_FORWARDING,
  ADMIN_TOKENS,
  PORTAL_MEMBERS,
  APPROVALS,
  CHANGE_REQUESTS,
  PORTAL_SESSIONS,
  PORTAL_LOGINS,
  PORTAL_PHONES,
  BREAK_GLASS,
  LOSS_REQUESTS,
];
