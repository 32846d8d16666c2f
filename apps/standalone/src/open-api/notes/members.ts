import type { OperationNotes } from '../operation-note.js';
import type { Fields } from '../schema.js';
import { CLIENT } from './admin.js';
import { NEXT } from './next-page.js';

const MEMBERS = 'Operations';
const CLIENTS = 'Clients';
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

const CHANGE: Fields = {
  changeId: 'uuid',
  askedBy: 'uuid: The subjectId of the member.',
  askedAt: 'seconds',
  changes: { 'name?': 'string', 'redirectUris?': 'strings', 'allowedAttributes?': 'strings', 'allowedPredicates?': 'strings' },
};

/** `/admin/v1` (specification/admin.md#members): the persons who use the portal, and what waits for an operator's consent. */
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
  [`GET ${CLIENT_PATH}/waiting-change`]: {
    tag: CLIENTS,
    summary: 'Read the change that waits for consent',
    answer: { 'waiting?': CHANGE, 'decided?': { changeId: 'uuid', accepted: 'boolean', at: 'seconds' } },
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
    answer: CLIENT,
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
    answer: { changes: [{ clientId: 'uuid', clientName: 'string', ...CHANGE }], ...NEXT },
  },
  [`GET ${CLIENT_PATH}/subject-migrations`]: {
    tag: CLIENTS,
    summary: 'List the accounts whose subjectIds change',
    description: 'As GET /relying-party/v1/subject-migrations, for the members of the client.',
    answer: {
      'changesAt?': 'seconds: From then on logins answer the new values. Absent, like endsAt, while no accounts have to be migrated.',
      'endsAt?': 'seconds: Until then the former values are accepted.',
      subjects: [{ formerSubjectId: 'uuid', subjectId: 'uuid' }],
      ...NEXT,
    },
    errors: ['client_not_found'],
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
