import { lastEventOf, type StreamType } from '#engines/event-store';

import { type AdminTokenCommand, adminTokenDecider, type AdminTokens } from '../domain/admin-token.js';
import type { AdminTokenEvent } from '../domain/admin-token.events.js';
import { type ApprovalCommand, type ApprovalEvent, MOST_ASKED, type OpenApproval, openApprovalsDecider } from '../domain/open-approvals.js';
import { portalMembersDecider, type PortalMembersCommand } from '../domain/portal-members.js';
import type { PortalMembersEvent } from '../domain/portal-members.events.js';
import type { MembersState } from '../domain/portal-membership.js';
import { portalPhonesDecider, type PortalPhonesCommand, type PortalPhonesEvent, type PortalPhonesState } from '../domain/portal-phones.js';
import {
  ADMIN_TOKENS,
  APPROVALS,
  CHANGE_REQUESTS,
  type ChangeRequestEvent,
  PORTAL_MEMBERS,
  PORTAL_PHONES,
  PORTAL_SESSIONS,
  type PortalSessionEvent,
} from '../streams.js';

export const MEMBERS: StreamType<MembersState, PortalMembersCommand, PortalMembersEvent> = {
  category: PORTAL_MEMBERS.category,
  decider: portalMembersDecider,
  grows: true,
};
export const MEMBERS_STREAM = PORTAL_MEMBERS.of('all');

export const PHONES: StreamType<PortalPhonesState, PortalPhonesCommand, PortalPhonesEvent> = {
  category: PORTAL_PHONES.category,
  decider: portalPhonesDecider,
  grows: true,
};

export const TOKENS: StreamType<AdminTokens, AdminTokenCommand, AdminTokenEvent> = {
  category: ADMIN_TOKENS.category,
  decider: adminTokenDecider,
  grows: true,
};
export const TOKENS_STREAM = ADMIN_TOKENS.of('all');

export const SESSIONS = lastEventOf<PortalSessionEvent>(PORTAL_SESSIONS);

export const CHANGE_REQUEST = lastEventOf<ChangeRequestEvent>(CHANGE_REQUESTS);

/** Only the newest events are read: a change may be asked for ever again. */
export const APPROVAL: StreamType<readonly OpenApproval[], ApprovalCommand, ApprovalEvent> = {
  category: APPROVALS.category,
  decider: openApprovalsDecider,
  read: async (store, stream) => (await store.read<ApprovalEvent>(stream, { direction: 'backwards', limit: MOST_ASKED })).toReversed(),
  isAged: APPROVALS.shortening === 'aged',
};
