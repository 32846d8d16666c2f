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
  [`POST ${CLIENT_PATH}/invitations`]: { tag: MEMBERS, summary: 'Invite a member of a client', errors: ['client_not_found'] },
  [`DELETE ${CLIENT_PATH}/members/{subjectId}`]: {
    tag: MEMBERS,
    summary: 'Remove a member of a client',
    description: 'The open invitations that this person made are void too.',
    errors: ['member_not_found'],
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
  'POST /admin/v1/invitations': { tag: MEMBERS, summary: 'Invite a person to the staff', errors: ['approval_required'] },
  'DELETE /admin/v1/members/{subjectId}': {
    tag: MEMBERS,
    summary: 'Remove a person from the staff',
    description: 'The open invitations that this person made are void too.',
    errors: ['member_not_found'],
  },
  'DELETE /admin/v1/invitations/{invitationId}': {
    tag: MEMBERS,
    summary: 'Withdraw an invitation to the staff',
    errors: ['invitation_not_found'],
  },
};
