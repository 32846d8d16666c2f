import { type Brand, type DeviceId, type DomainEvent, knownEvents, type SubjectId } from '#kernel';
import { DeclaredStreams } from '#engines/event-store';

import type { AuditEvent } from './audit/audit-events.js';
import { ADMIN_TOKEN_EVENTS } from './domain/admin-token.events.js';
import { PORTAL_MEMBERS_EVENTS } from './domain/portal-members.events.js';

const owner = 'libs/domain/administration';
/** A day, in seconds. */
const DAY = 24 * 3_600;

const AUDIT_EVENTS = knownEvents<AuditEvent>(1, { AdminChangeBegun: true, AdminChangeEnded: true });

export const AUDIT_TRAIL = new DeclaredStreams({
  category: 'audit',
  owner,
  ids: ['log'],
  events: AUDIT_EVENTS,
  sealed: false,
  guarded: [...AUDIT_EVENTS.types],
  watched: true,
});
export const AUDIT_STREAM = AUDIT_TRAIL.of('log');

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

/** The events of a stream `approval-<keyed hash of the request>`. Times are epoch milliseconds. `by`: the id of the token. */
export type ApprovalEvent =
  | DomainEvent<'ApprovalAsked', { readonly at: number; readonly by: string }>
  | DomainEvent<'ApprovalGiven', { readonly at: number; readonly by: string }>;

/** The audit trail keeps who asked and who approved. */
export const APPROVALS = new DeclaredStreams({
  category: 'approval',
  owner,
  ids: ['<keyed hash>'],
  events: knownEvents<ApprovalEvent>(1, { ApprovalAsked: true, ApprovalGiven: true }),
  retention: { maxAge: DAY },
  sealed: false,
  guarded: [],
});

export type PortalSessionId = Brand<string, 'PortalSessionId'>;

export type PortalSessionBegun = {
  readonly at: number;
  readonly subjectId: SubjectId;
  /** The phone that approved the login. */
  readonly deviceId: DeviceId;
  readonly expiresAt: number;
};

/** The events of a stream `portalsession-<uuid>`. Times are epoch milliseconds. */
export type PortalSessionEvent = DomainEvent<'PortalSessionBegun', PortalSessionBegun> | DomainEvent<'PortalSessionEnded', { readonly at: number }>;

export const PORTAL_SESSION_EVENTS = knownEvents<PortalSessionEvent>(1, { PortalSessionBegun: true, PortalSessionEnded: true });

export const PORTAL_SESSIONS = new DeclaredStreams({
  category: 'portalsession',
  owner,
  ids: ['<uuid>'],
  events: PORTAL_SESSION_EVENTS,
  retention: { maxAge: DAY },
  sealed: false,
  guarded: [],
});

export const ADMINISTRATION_STREAMS = [AUDIT_TRAIL, ADMIN_TOKENS, PORTAL_MEMBERS, APPROVALS, PORTAL_SESSIONS];
