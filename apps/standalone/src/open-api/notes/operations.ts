import type { OperationNotes } from '../operation-note.js';

const OPERATIONS = 'Operations';

/** `/admin/v1` (specification/admin.md): tokens, the audit trail, read models and sessions. */
export const OPERATIONS_NOTES: OperationNotes = {
  'POST /admin/v1/admin-tokens': {
    id: 'addAdminToken',
    answer: 'AddedAdminToken',
    critical: true,
    tag: OPERATIONS,
    summary: 'Add an admin token',
    description: 'It reaches the routes and the clients that it names, and no critical route that it does not name.',
    errors: ['name_taken', 'approval_required'],
  },
  'GET /admin/v1/admin-tokens': { id: 'listAdminTokens', answer: 'AdminTokenPage', tag: OPERATIONS, summary: 'List the admin tokens, oldest first' },
  'DELETE /admin/v1/admin-tokens/{tokenId}': {
    id: 'revokeAdminToken',
    critical: true,
    tag: OPERATIONS,
    summary: 'Revoke an admin token',
    errors: ['admin_token_not_found', 'approval_required'],
  },
  'GET /admin/v1/break-glass': { id: 'getBreakGlass', answer: 'BreakGlassState', tag: OPERATIONS, summary: 'Read the break-glass that is under way' },
  'DELETE /admin/v1/break-glass': {
    id: 'stopBreakGlass',
    tag: OPERATIONS,
    summary: 'Stop the break-glass that is under way',
    description: 'By a person of the staff, not by a token.',
    errors: ['break_glass_refused'],
  },
  'GET /admin/v1/audit': {
    id: 'listAuditEntries',
    answer: 'AuditPage',
    tag: OPERATIONS,
    summary: 'Read the audit trail, newest first',
    description:
      'Two entries for each change, and for each read of personal data: BEGUN before it, ENDED with its outcome. A change that persons have approved on their phones has a third, APPROVED, with what they have signed. A change without ENDED may or may not have taken effect. With `proofs=true`, the signed checkpoint of the history and the proof of each entry under it.',
  },
  'GET /admin/v1/projections': { id: 'listProjections', answer: 'ProjectionList', tag: OPERATIONS, summary: 'List the read models' },
  'POST /admin/v1/projections/{name}/rebuild': {
    id: 'rebuildProjection',
    answer: 'RebuiltProjection',
    tag: OPERATIONS,
    summary: 'Build a read model anew',
    errors: ['not_found'],
  },
  'GET /admin/v1/health': {
    id: 'getHealth',
    answer: 'Health',
    tag: OPERATIONS,
    summary: 'Read the health of webhooks, topics, read models and trust services',
    description: 'A member is absent while its store does not answer. The answer may be some seconds old where several processes work.',
  },
  'GET /admin/v1/keys': {
    id: 'listKeys',
    answer: 'KeyList',
    tag: OPERATIONS,
    summary: 'Read since when the keys are in use',
    description: 'The answer holds no key and no fingerprint.',
  },
  'GET /admin/v1/sessions': {
    id: 'listSessions',
    answer: 'SessionPage',
    tag: OPERATIONS,
    summary: 'List and search sessions, newest first',
    description: 'The sessions that are stored. A change appears with a short delay.',
  },
  'GET /admin/v1/sessions/{sessionId}/timeline': {
    id: 'getSessionTimeline',
    answer: 'SessionTimeline',
    tag: OPERATIONS,
    summary: 'Read the timeline of a session',
    errors: ['session_not_found'],
  },
  'GET /admin/v1/clients/{clientId}/login-funnel': {
    id: 'getLoginFunnel',
    answer: 'LoginFunnel',
    tag: OPERATIONS,
    summary: 'Read how far the logins of a client came, by day',
    description: 'The last days, at most 30, the oldest first. A step counts on the day (UTC) on which it happened.',
    errors: ['client_not_found'],
  },
  'GET /admin/v1/clients/{clientId}/sessions/{sessionId}/timeline': {
    id: 'getClientSessionTimeline',
    answer: 'ClientSessionTimeline',
    tag: OPERATIONS,
    summary: 'Read the timeline of a session of this client',
    description: 'Members of the client may read it too. The answer leaves out the device and the findings.',
    errors: ['session_not_found'],
  },
};
