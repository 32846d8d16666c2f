import type { OperationNotes } from '../operation-note.js';
import type { Fields } from '../schema.js';

const MEMBERS = 'Operations';
const CLIENT_PATH = '/admin/v1/clients/{clientId}';

const MADE: Fields = {
  invitationId: 'uuid',
  link: 'uri: Shown only here. The first person who logs in with it becomes the member.',
  expiresAt: 'seconds',
};
const TEAM: Fields = {
  members: [{ subjectId: 'uuid', label: 'string', 'roles?': 'strings: Of staff.', since: 'seconds' }],
  invitations: [{ invitationId: 'uuid', label: 'string', expiresAt: 'seconds' }],
};

/** `/admin/v1` (specification/admin.md#members): the persons who use the portal. */
export const MEMBERS_NOTES: OperationNotes = {
  [`GET ${CLIENT_PATH}/members`]: {
    tag: MEMBERS,
    summary: 'List the members of a client and the open invitations',
    answer: TEAM,
    errors: ['client_not_found'],
  },
  [`POST ${CLIENT_PATH}/invitations`]: { tag: MEMBERS, summary: 'Invite a member of a client', answer: MADE, errors: ['client_not_found'] },
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
  'GET /admin/v1/members': { tag: MEMBERS, summary: 'List the staff and the open invitations', answer: TEAM },
  'POST /admin/v1/invitations': { tag: MEMBERS, summary: 'Invite a person to the staff', answer: MADE, errors: ['approval_required'] },
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
