import type { OperationNotes } from '../operation-note.js';
import { NEXT } from './next-page.js';

const OPERATIONS = 'Operations';

/** `/admin/v1` (specification/admin.md): tokens, the audit trail, read models and sessions. */
export const OPERATIONS_NOTES: OperationNotes = {
  'POST /admin/v1/admin-tokens': {
    tag: OPERATIONS,
    summary: 'Add an admin token',
    answer: { tokenId: 'uuid', token: 'string: Shown only here.' },
    errors: ['name_taken', 'approval_required'],
  },
  'GET /admin/v1/admin-tokens': {
    tag: OPERATIONS,
    summary: 'List the admin tokens, oldest first',
    answer: {
      adminTokens: [
        {
          tokenId: 'uuid',
          name: 'string',
          role: ['read', 'support', 'operator', 'security'],
          addedAt: 'seconds',
          expiresAt: 'seconds',
          'revokedAt?': 'seconds',
        },
      ],
      ...NEXT,
    },
  },
  'DELETE /admin/v1/admin-tokens/{tokenId}': { tag: OPERATIONS, summary: 'Revoke an admin token', errors: ['admin_token_not_found'] },
  'GET /admin/v1/audit': {
    tag: OPERATIONS,
    summary: 'Read the audit trail, newest first',
    description:
      'Two entries for each change, and for each read of personal data: BEGUN before it, ENDED with its outcome. A change without ENDED may or may not have taken effect.',
    answer: {
      entries: [
        {
          sequence: 'integer',
          phase: ['BEGUN', 'ENDED'],
          at: 'seconds',
          changeId: 'uuid',
          actor: 'string: The id of the token; `first-start` of `ADMIN_TOKEN`.',
          role: 'string',
          action: 'string: Method and route.',
          target: {},
          'status?': 'integer',
          'errorCode?': 'string',
          'persons?': 'strings: The identities whose data a list answered.',
        },
      ],
      'next?': 'integer: The value of `after` that returns the next page. Absent on the last page.',
    },
  },
  'GET /admin/v1/projections': {
    tag: OPERATIONS,
    summary: 'List the read models',
    answer: { projections: [{ name: 'string', version: 'integer', complete: 'boolean', 'position?': 'integer' }] },
  },
  'POST /admin/v1/projections/{name}/rebuild': {
    tag: OPERATIONS,
    summary: 'Build a read model anew',
    answer: { name: 'string' },
    errors: ['not_found'],
  },
  'GET /admin/v1/health': {
    tag: OPERATIONS,
    summary: 'Read the health of webhooks, topics, read models and trust services',
    description: 'A member is absent while its store does not answer. The answer may be some seconds old where several processes work.',
    answer: {
      'webhookEndpoints?': [
        {
          clientId: 'uuid',
          clientName: 'string',
          endpointId: 'uuid',
          url: 'uri',
          enabled: 'boolean',
          'disabledBecause?': ['GONE', 'FAILING'],
          failingSince: 'seconds',
        },
      ],
      'deadLetters?': [{ group: 'string', waiting: 'integer: Messages that were set aside and not handed over again.', 'newestAt?': 'seconds' }],
      'projections?': [{ name: 'string', complete: 'boolean', 'waiting?': 'integer: Stored events that it does not show yet; counts to 1000.' }],
      'trustServices?': [{ service: ['CA', 'TSA', 'OCSP'], 'lastSuccessAt?': 'seconds', 'lastFailureAt?': 'seconds' }],
    },
  },
  'GET /admin/v1/keys': {
    tag: OPERATIONS,
    summary: 'Read since when the keys are in use',
    description: 'The answer holds no key and no fingerprint.',
    answer: {
      keys: [{ purpose: 'string: token, pin, data or event.', since: 'seconds' }],
      'subjectMigration?': { changesAt: 'seconds', endsAt: 'seconds' },
    },
  },
  'GET /admin/v1/sessions': {
    tag: OPERATIONS,
    summary: 'List and search sessions, newest first',
    description: 'The sessions that are stored. A change appears with a short delay.',
    answer: {
      sessions: [
        {
          sessionId: 'uuid',
          clientId: 'uuid',
          signatureType: ['AUTHENTICATION', 'SIGNING'],
          status: ['PENDING', 'SCANNED', 'CONFIRMED', 'COMPLETED', 'CANCELLED', 'EXPIRED'],
          'reason?': 'string: Why it was cancelled.',
          createdAt: 'seconds',
          changedAt: 'seconds',
        },
      ],
      ...NEXT,
    },
  },
  'GET /admin/v1/sessions/{sessionId}/timeline': {
    tag: OPERATIONS,
    summary: 'Read the timeline of a session',
    answer: {
      sessionId: 'uuid',
      clientId: 'uuid',
      status: 'string',
      events: [
        {
          type: 'string',
          'sequence?': 'integer',
          at: 'time',
          'reason?': 'string',
          'finishedBy?': 'string: `number`, if a number has finished the login.',
          'finding?': 'string',
          'deviceId?': 'uuid',
        },
      ],
    },
    errors: ['session_not_found'],
  },
  'GET /admin/v1/clients/{clientId}/login-funnel': {
    tag: OPERATIONS,
    summary: 'Read how far the logins of a client came, by day',
    description: 'The last days, at most 30, the oldest first. A step counts on the day (UTC) on which it happened.',
    answer: {
      days: [
        {
          day: 'date',
          created: 'integer',
          scanned: 'integer',
          confirmed: 'integer',
          exchanged: 'integer',
          ended: {
            declined: 'integer',
            left: 'integer',
            wrongCode: 'integer',
            pinLocked: 'integer',
            withdrawn: 'integer',
            erased: 'integer',
            expired: 'integer',
          },
        },
      ],
    },
    errors: ['client_not_found'],
  },
  'GET /admin/v1/clients/{clientId}/sessions/{sessionId}/timeline': {
    tag: OPERATIONS,
    summary: 'Read the timeline of a session of this client',
    description: 'Members of the client may read it too. The answer leaves out the device and the findings.',
    answer: {
      sessionId: 'uuid',
      clientId: 'uuid',
      status: 'string',
      events: [
        {
          type: 'string',
          'sequence?': 'integer',
          at: 'time',
          'reason?': 'string',
          'finishedBy?': 'string: `number`, if a number has finished the login.',
        },
      ],
    },
    errors: ['session_not_found'],
  },
};
