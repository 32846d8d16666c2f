import type { OperationNotes } from '../operation-note.js';

const CLIENTS = 'Clients';
const LOGO_PATH = '/admin/v1/clients/{clientId}/logo';

/** The logo of a client (specification/admin.md#logo). */
export const LOGOS_NOTES: OperationNotes = {
  [`GET ${LOGO_PATH}`]: { id: 'getLogo', answer: 'ClientLogo', tag: CLIENTS, summary: 'Read the logo', errors: ['client_not_found'] },
  [`PUT ${LOGO_PATH}`]: {
    id: 'uploadLogo',
    answer: 'ClientLogo',
    tag: CLIENTS,
    summary: 'Upload a logo',
    description: 'One at a time for each client; a call beside another one is answered 429.',
    errors: ['client_not_found'],
  },
  [`POST ${LOGO_PATH}/approval`]: {
    id: 'approveLogo',
    answer: 'ClientLogo',
    tag: CLIENTS,
    summary: 'Approve the waiting logo',
    errors: ['client_not_found', 'logo_not_found'],
  },
  [`DELETE ${LOGO_PATH}`]: { id: 'deleteLogo', tag: CLIENTS, summary: 'Remove the logo', errors: ['client_not_found'] },
};
