import type { OperationNotes } from '../operation-note.js';

const MEMBERS = 'Operations';
const CLIENTS = 'Clients';
const CLIENT_PATH = '/admin/v1/clients/{clientId}';

/** `/admin/v1` (specification/admin.md#members): the persons who use the portal, and what waits for an operator's consent. */
export const MEMBERS_NOTES: OperationNotes = {
  [`GET ${CLIENT_PATH}/members`]: {
    tag: MEMBERS,
    summary: 'List the members of a client and the open invitations',
    errors: ['client_not_found'],
  },
  [`POST ${CLIENT_PATH}/invitations`]: { critical: true, tag: MEMBERS, summary: 'Invite a member of a client', errors: ['client_not_found'] },
  [`PATCH ${CLIENT_PATH}/members/{subjectId}`]: {
    critical: true,
    tag: MEMBERS,
    summary: 'Change the role of a member of a client',
    errors: ['client_not_found', 'member_not_found', 'last_owner'],
  },
  [`GET ${CLIENT_PATH}/members/{subjectId}/phones`]: {
    tag: MEMBERS,
    summary: 'List the phones of a member of a client',
    errors: ['member_not_found'],
  },
  [`DELETE ${CLIENT_PATH}/members/{subjectId}/phones/{phoneId}`]: {
    tag: MEMBERS,
    summary: 'Stop a phone of a member of a client in the portal',
    errors: ['client_not_found', 'member_not_found', 'device_not_found'],
  },
  [`DELETE ${CLIENT_PATH}/members/{subjectId}`]: {
    critical: true,
    tag: MEMBERS,
    summary: 'Remove a member of a client',
    description: 'The open invitations that this person made as an owner of this client are void too.',
    errors: ['client_not_found', 'member_not_found', 'last_owner'],
  },
  [`DELETE ${CLIENT_PATH}/invitations/{invitationId}`]: {
    tag: MEMBERS,
    summary: 'Withdraw an invitation of a client',
    errors: ['invitation_not_found'],
  },
  [`GET ${CLIENT_PATH}/waiting-change`]: {
    tag: CLIENTS,
    summary: 'Read the change that waits for consent',
    errors: ['client_not_found'],
  },
  [`DELETE ${CLIENT_PATH}/waiting-change`]: {
    tag: CLIENTS,
    summary: 'Withdraw the change that waits',
    errors: ['client_not_found', 'change_not_found'],
  },
  [`POST ${CLIENT_PATH}/waiting-change/acceptance`]: {
    critical: true,
    tag: CLIENTS,
    summary: 'Accept the change that waits',
    description: 'The request names the change that the operator looked at. The change takes effect at once.',
    errors: ['client_not_found', 'change_not_found', 'name_taken'],
  },
  [`POST ${CLIENT_PATH}/waiting-change/refusal`]: {
    tag: CLIENTS,
    summary: 'Refuse the change that waits',
    errors: ['client_not_found', 'change_not_found'],
  },
  'GET /admin/v1/waiting-changes': {
    tag: CLIENTS,
    summary: 'List the changes that wait for consent',
  },
  [`GET ${CLIENT_PATH}/subject-migrations`]: {
    tag: CLIENTS,
    summary: 'List the accounts whose subjectIds change',
    description: 'As GET /relying-party/v1/subject-migrations, for the members of the client.',
    errors: ['client_not_found'],
  },
  'GET /admin/v1/members': { tag: MEMBERS, summary: 'List the staff and the open invitations' },
  'POST /admin/v1/invitations': { critical: true, tag: MEMBERS, summary: 'Invite a person to the staff', errors: ['approval_required'] },
  'PATCH /admin/v1/members/{subjectId}': {
    critical: true,
    tag: MEMBERS,
    summary: 'Change the roles of a person of the staff',
    errors: ['member_not_found', 'last_owner', 'approval_required'],
  },
  'DELETE /admin/v1/members/{subjectId}/sessions': {
    tag: MEMBERS,
    summary: 'Log a person of the staff out everywhere',
    errors: ['member_not_found'],
  },
  'GET /admin/v1/members/{subjectId}/phones': { tag: MEMBERS, summary: 'List the phones of a person of the staff', errors: ['member_not_found'] },
  'DELETE /admin/v1/members/{subjectId}/phones/{phoneId}': {
    tag: MEMBERS,
    summary: 'Stop a phone of a person of the staff in the portal',
    errors: ['member_not_found', 'device_not_found'],
  },
  'GET /admin/v1/own/sessions': { tag: MEMBERS, summary: 'List the own sessions of the portal' },
  'DELETE /admin/v1/own/sessions/{sessionId}': {
    tag: MEMBERS,
    summary: 'End an own session of the portal',
    errors: ['portal_session_not_found'],
  },
  'GET /admin/v1/own/phones': { tag: MEMBERS, summary: 'List the own phones' },
  'POST /admin/v1/own/phones/{phoneId}/approval': {
    critical: true,
    tag: MEMBERS,
    summary: 'Let another own phone act in the portal',
    errors: ['device_not_found'],
  },
  'DELETE /admin/v1/own/phones/{phoneId}/approval': { tag: MEMBERS, summary: 'Stop an own phone in the portal', errors: ['device_not_found'] },
  'GET /admin/v1/approvals/{approvalId}': {
    tag: MEMBERS,
    summary: 'Read whether the phone has approved a change',
    errors: ['approval_not_found'],
  },
  'POST /admin/v1/approvals/{approvalId}/completion': {
    carriesOut: true,
    tag: MEMBERS,
    summary: 'Carry out a change that the phone has approved',
    description: 'Once, by the session of the portal that has asked for it. It answers what the change answers.',
    errors: [
      'approval_not_found',
      'approval_not_signed',
      'approval_outdated',
      'approval_required',
      'session_expired',
      'invalid_request',
      'client_not_found',
      'endpoint_not_found',
      'identity_not_found',
      'device_not_found',
      'member_not_found',
      'admin_token_not_found',
      'change_not_found',
      'name_taken',
      'last_owner',
    ],
  },
  'DELETE /admin/v1/members/{subjectId}': {
    critical: true,
    tag: MEMBERS,
    summary: 'Remove a person from the staff',
    description: 'The open invitations that this person made as staff are void too.',
    errors: ['member_not_found', 'last_owner', 'approval_required'],
  },
  'DELETE /admin/v1/invitations/{invitationId}': {
    tag: MEMBERS,
    summary: 'Withdraw an invitation to the staff',
    errors: ['invitation_not_found'],
  },
};
