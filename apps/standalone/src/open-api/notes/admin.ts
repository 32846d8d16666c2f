import type { OperationNotes } from '../operation-note.js';

const CLIENTS = 'Clients';
const WEBHOOKS = 'Webhooks';
const IDENTITIES = 'Identities and devices';

const CLIENT_PATH = '/admin/v1/clients/{clientId}';
const ENDPOINTS = `${CLIENT_PATH}/webhook-endpoints`;
const IDENTITY_PATH = '/admin/v1/identities/{identityId}';

/** `/admin/v1` (specification/admin.md): clients, their webhook endpoints, persons and devices. */
export const ADMIN_NOTES: OperationNotes = {
  'POST /admin/v1/clients': {
    tag: CLIENTS,
    summary: 'Register a client',
    errors: ['name_taken'],
  },
  'GET /admin/v1/clients': { tag: CLIENTS, summary: 'List clients' },
  'GET /admin/v1/client-names': {
    tag: CLIENTS,
    summary: 'Find the registered names that a name may pass for',
    description: 'For the person who decides on the name, before it is registered or accepted. A client of the last second may be missing.',
  },
  [`GET ${CLIENT_PATH}`]: { tag: CLIENTS, summary: 'Read a client', errors: ['client_not_found'] },
  [`PATCH ${CLIENT_PATH}`]: {
    critical: true,
    tag: CLIENTS,
    summary: 'Change a client',
    description: 'Answers the client as it is now. With `CLIENT_CONSENT` a change by a member may wait for the consent of an operator.',
    errors: ['client_not_found', 'name_taken'],
  },
  [`DELETE ${CLIENT_PATH}`]: {
    critical: true,
    tag: CLIENTS,
    summary: 'Delete a client for good',
    description:
      'The secret, the webhook endpoints and the logo of the client end too, and its name is free. No replica accepts a request of the client after this answer.',
    errors: ['client_not_found'],
  },
  [`POST ${CLIENT_PATH}/disable`]: {
    tag: CLIENTS,
    summary: 'Disable a client',
    description: 'No replica accepts a request of the client after this answer.',
    errors: ['client_not_found'],
  },
  [`POST ${CLIENT_PATH}/enable`]: { tag: CLIENTS, summary: 'Enable a client again', errors: ['client_not_found'] },
  [`GET ${CLIENT_PATH}/secret`]: {
    tag: CLIENTS,
    summary: 'Read the age and the last use of the secret',
    description: 'A session that begins with the secret counts as a use. The answer does not hold the secret.',
    errors: ['client_not_found'],
  },
  [`POST ${CLIENT_PATH}/secret`]: {
    critical: true,
    tag: CLIENTS,
    summary: 'Issue a new secret',
    description: 'No replica accepts the old secret after this answer.',
    errors: ['client_not_found', 'approval_required'],
  },
  [`POST ${ENDPOINTS}`]: {
    tag: WEBHOOKS,
    summary: 'Add a webhook endpoint',
    description: 'It gets messages once its receiver has proved that it verifies signatures.',
    errors: ['client_not_found'],
  },
  [`GET ${ENDPOINTS}`]: {
    tag: WEBHOOKS,
    summary: 'List webhook endpoints',
    errors: ['client_not_found'],
  },
  [`PATCH ${ENDPOINTS}/{endpointId}`]: {
    tag: WEBHOOKS,
    summary: 'Change a webhook endpoint',
    description: 'After a change of its address the receiver has to prove again that it verifies signatures.',
    errors: ['client_not_found', 'endpoint_not_found'],
  },
  [`DELETE ${ENDPOINTS}/{endpointId}`]: {
    critical: true,
    tag: WEBHOOKS,
    summary: 'Remove a webhook endpoint',
    errors: ['client_not_found', 'endpoint_not_found'],
  },
  [`POST ${ENDPOINTS}/{endpointId}/rotate-secret`]: {
    critical: true,
    tag: WEBHOOKS,
    summary: 'Rotate the secret of a webhook endpoint',
    description: 'The secret before it signs beside the new one for 24 hours.',
    errors: ['client_not_found', 'endpoint_not_found', 'approval_required'],
  },
  [`POST ${ENDPOINTS}/{endpointId}/ping`]: {
    tag: WEBHOOKS,
    summary: 'Send a ping, or let an unconfirmed endpoint prove itself',
    description:
      'An unconfirmed endpoint gets three rightly and three wrongly signed pings in random order. It is confirmed when the right ones are answered 2xx and the wrong ones 400, 401 or 403. Once in ten seconds for each endpoint; further calls are answered 429, to staff of every role too.',
    errors: ['client_not_found', 'endpoint_not_found'],
  },
  [`POST ${ENDPOINTS}/{endpointId}/recover`]: {
    tag: WEBHOOKS,
    summary: 'Send the messages again that did not arrive',
    description: 'Six times an hour for all endpoints of a client, and one at a time; further calls are answered 429, to staff of every role too.',
    errors: ['client_not_found', 'endpoint_not_found', 'endpoint_not_confirmed'],
  },
  [`GET ${ENDPOINTS}/{endpointId}/deliveries`]: {
    tag: WEBHOOKS,
    summary: 'List deliveries, newest first',
    errors: ['client_not_found', 'endpoint_not_found'],
  },
  [`POST ${ENDPOINTS}/{endpointId}/deliveries/{deliveryId}/retry`]: {
    tag: WEBHOOKS,
    summary: 'Send one message again',
    errors: ['client_not_found', 'endpoint_not_found', 'delivery_not_found'],
  },
  'POST /admin/v1/identities': { tag: IDENTITIES, summary: 'Register a person', errors: ['identity_exists'] },
  'GET /admin/v1/identities': {
    tag: IDENTITIES,
    summary: 'List persons',
    description: 'Each page raises an alarm. The role `support` may not list persons; it finds and opens one.',
  },
  'POST /admin/v1/identities/search': {
    tag: IDENTITIES,
    summary: 'Find a person by country and personal code',
    description: 'Answers only the id of the person. The audit trail records the call.',
    errors: ['identity_not_found'],
  },
  [`POST ${IDENTITY_PATH}/opening`]: {
    tag: IDENTITIES,
    summary: 'Read the data of one person',
    description: 'The audit trail records who has read the data of which person.',
    errors: ['identity_not_found'],
  },
  [`DELETE ${IDENTITY_PATH}`]: { critical: true, tag: IDENTITIES, summary: 'Erase a person', errors: ['identity_not_found', 'approval_required'] },
  [`GET ${IDENTITY_PATH}/erasure`]: {
    tag: IDENTITIES,
    summary: 'Show that a person was erased',
    description:
      'Answers the events of the erasure, after a check of their authentication codes, and whether the streams that held the data can still be read.',
    errors: ['identity_not_found'],
  },
  [`POST ${IDENTITY_PATH}/activation-codes`]: {
    critical: true,
    tag: IDENTITIES,
    summary: 'Issue an activation code',
    errors: ['identity_not_found', 'approval_required'],
  },
  [`GET ${IDENTITY_PATH}/devices`]: {
    tag: IDENTITIES,
    summary: 'List the devices of a person',
    errors: ['identity_not_found'],
  },
  [`DELETE ${IDENTITY_PATH}/devices/{deviceId}`]: {
    critical: true,
    tag: IDENTITIES,
    summary: 'Revoke a device',
    errors: ['identity_not_found', 'device_not_found', 'approval_required'],
  },
};
