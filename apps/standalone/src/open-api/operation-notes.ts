import { ADMIN_NOTES } from './notes/admin.js';
import { APP_NOTES } from './notes/app.js';
import { LOGIN_UI_NOTES } from './notes/login-ui.js';
import { LOGOS_NOTES } from './notes/logos.js';
import { MEMBERS_NOTES } from './notes/members.js';
import { OPERATIONS_NOTES } from './notes/operations.js';
import { RELYING_PARTY_NOTES } from './notes/relying-party.js';
import { SANDBOX_NOTES } from './notes/sandbox.js';
import type { OperationNotes } from './operation-note.js';

/** The notes of every operation, in the order of the reference. */
export const OPERATION_NOTES: OperationNotes = {
  ...RELYING_PARTY_NOTES,
  ...LOGIN_UI_NOTES,
  ...APP_NOTES,
  ...ADMIN_NOTES,
  ...LOGOS_NOTES,
  ...MEMBERS_NOTES,
  ...OPERATIONS_NOTES,
  ...SANDBOX_NOTES,
};
