import type { OperationNotes } from '../operation-note.js';
import type { Fields } from '../schema.js';
import { NEXT } from './next-page.js';

const CLIENTS = 'Clients';
const WEBHOOKS = 'Webhooks';
const IDENTITIES = 'Identities and devices';

/** A client as an answer. */
export const CLIENT: Fields = {
  clientId: 'uuid',
  name: 'string',
  redirectUris: 'strings',
  allowedAttributes: 'strings',
  allowedPredicates: 'strings',
  dynamicQr: 'boolean',
  'verificationCode?': 'boolean: Pushed sessions without hosted_page have a verification code.',
  'finishByNumber?': 'boolean: A hosted login that was opened by a link may be finished by a number that the phone shows.',
  enabled: 'boolean',
};
const ENDPOINT: Fields = {
  endpointId: 'uuid',
  url: 'uri',
  eventTypes: 'strings',
  enabled: 'boolean',
  'disabledBecause?': ['STAFF', 'GONE', 'FAILING'],
  'failingSince?': 'seconds',
  'previousSecretUntil?': 'seconds',
};
const PERSON: Fields = {
  identityId: 'uuid',
  givenName: 'string: Empty where the person has one name, which is the family name.',
  familyName: 'string: Empty where the person has one name, which is the given name.',
  personalCode: 'string',
  'dateOfBirth?': 'string: YYYY-MM-DD, or the known part, YYYY-MM or YYYY. Absent where nothing is known.',
  country: 'string: ISO 3166-1 alpha-2, or XK.',
  'email?': 'string',
  'phoneNumber?': 'string',
};
const CLIENT_PATH = '/admin/v1/clients/{clientId}';
const ENDPOINTS = `${CLIENT_PATH}/webhook-endpoints`;
const IDENTITY_PATH = '/admin/v1/identities/{identityId}';

/** `/admin/v1` (specification/admin.md): clients, their webhook endpoints, persons and devices. */
export const ADMIN_NOTES: OperationNotes = {
  'POST /admin/v1/clients': {
    tag: CLIENTS,
    summary: 'Register a client',
    answer: { clientId: 'uuid', clientSecret: 'string: Shown only here.' },
    errors: ['name_taken'],
  },
  'GET /admin/v1/clients': { tag: CLIENTS, summary: 'List clients', answer: { clients: [CLIENT], ...NEXT } },
  [`GET ${CLIENT_PATH}`]: { tag: CLIENTS, summary: 'Read a client', answer: CLIENT, errors: ['client_not_found'] },
  [`PATCH ${CLIENT_PATH}`]: {
    tag: CLIENTS,
    summary: 'Change a client',
    description: 'Answers the client as it is now. With `CLIENT_CONSENT` a change by a member may wait for the consent of an operator.',
    answer: CLIENT,
    errors: ['client_not_found', 'name_taken'],
  },
  [`DELETE ${CLIENT_PATH}`]: {
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
    answer: CLIENT,
    errors: ['client_not_found'],
  },
  [`POST ${CLIENT_PATH}/enable`]: { tag: CLIENTS, summary: 'Enable a client again', answer: CLIENT, errors: ['client_not_found'] },
  [`GET ${CLIENT_PATH}/secret`]: {
    tag: CLIENTS,
    summary: 'Read the age and the last use of the secret',
    description: 'A session that begins with the secret counts as a use. The answer does not hold the secret.',
    answer: { issuedAt: 'seconds', 'lastUsedAt?': 'seconds: Absent if no stored session began with it.' },
    errors: ['client_not_found'],
  },
  [`POST ${CLIENT_PATH}/secret`]: {
    tag: CLIENTS,
    summary: 'Issue a new secret',
    description: 'No replica accepts the old secret after this answer.',
    answer: { clientSecret: 'string: Shown only here.' },
    errors: ['client_not_found', 'approval_required'],
  },
  [`POST ${ENDPOINTS}`]: {
    tag: WEBHOOKS,
    summary: 'Add a webhook endpoint',
    answer: { ...ENDPOINT, secret: 'string: `whsec_…`, shown only here.' },
    errors: ['client_not_found'],
  },
  [`GET ${ENDPOINTS}`]: {
    tag: WEBHOOKS,
    summary: 'List webhook endpoints',
    answer: { webhookEndpoints: [ENDPOINT], ...NEXT },
    errors: ['client_not_found'],
  },
  [`PATCH ${ENDPOINTS}/{endpointId}`]: {
    tag: WEBHOOKS,
    summary: 'Change a webhook endpoint',
    answer: ENDPOINT,
    errors: ['client_not_found', 'endpoint_not_found'],
  },
  [`DELETE ${ENDPOINTS}/{endpointId}`]: {
    tag: WEBHOOKS,
    summary: 'Remove a webhook endpoint',
    errors: ['client_not_found', 'endpoint_not_found'],
  },
  [`POST ${ENDPOINTS}/{endpointId}/rotate-secret`]: {
    tag: WEBHOOKS,
    summary: 'Rotate the secret of a webhook endpoint',
    description: 'The secret before it signs beside the new one for 24 hours.',
    answer: { secret: 'string: `whsec_…`, shown only here.' },
    errors: ['client_not_found', 'endpoint_not_found', 'approval_required'],
  },
  [`POST ${ENDPOINTS}/{endpointId}/ping`]: {
    tag: WEBHOOKS,
    summary: 'Send a ping',
    description: 'Once in ten seconds for each endpoint; further calls are answered 429, to staff of every role too.',
    answer: { deliveryId: 'uuid' },
    errors: ['client_not_found', 'endpoint_not_found'],
  },
  [`POST ${ENDPOINTS}/{endpointId}/recover`]: {
    tag: WEBHOOKS,
    summary: 'Send the messages again that did not arrive',
    description: 'Six times an hour for all endpoints of a client, and one at a time; further calls are answered 429, to staff of every role too.',
    answer: { recovered: 'integer' },
    errors: ['client_not_found', 'endpoint_not_found'],
  },
  [`GET ${ENDPOINTS}/{endpointId}/deliveries`]: {
    tag: WEBHOOKS,
    summary: 'List deliveries, newest first',
    answer: {
      deliveries: [
        {
          deliveryId: 'uuid',
          webhookId: 'uuid',
          'sessionId?': 'uuid',
          type: 'string',
          state: ['pending', 'succeeded', 'lapsed', 'superseded', 'exhausted', 'disabled'],
          attempts: [
            {
              at: 'seconds',
              'status?': 'integer',
              'error?': ['unreachable_address', 'unknown_host', 'proxy_failed', 'timeout', 'connection_failed', 'tls_failed', 'bad_answer'],
            },
          ],
          payload: 'string: The body of every attempt, as it was signed.',
          'nextAttemptAt?': 'seconds',
        },
      ],
      ...NEXT,
    },
    errors: ['client_not_found', 'endpoint_not_found'],
  },
  [`POST ${ENDPOINTS}/{endpointId}/deliveries/{deliveryId}/retry`]: {
    tag: WEBHOOKS,
    summary: 'Send one message again',
    answer: { deliveryId: 'uuid' },
    errors: ['client_not_found', 'endpoint_not_found', 'delivery_not_found'],
  },
  'POST /admin/v1/identities': { tag: IDENTITIES, summary: 'Register a person', answer: { identityId: 'uuid' }, errors: ['identity_exists'] },
  'GET /admin/v1/identities': {
    tag: IDENTITIES,
    summary: 'List persons',
    answer: {
      identities: [PERSON],
      ...NEXT,
    },
  },
  'POST /admin/v1/identities/search': {
    tag: IDENTITIES,
    summary: 'Find a person by country and personal code',
    description: 'Answers only the id of the person. The audit trail records the call.',
    answer: { identityId: 'uuid' },
    errors: ['identity_not_found'],
  },
  [`POST ${IDENTITY_PATH}/opening`]: {
    tag: IDENTITIES,
    summary: 'Read the data of one person',
    description: 'The audit trail records who has read the data of which person.',
    answer: PERSON,
    errors: ['identity_not_found'],
  },
  [`DELETE ${IDENTITY_PATH}`]: { tag: IDENTITIES, summary: 'Erase a person', errors: ['identity_not_found', 'approval_required'] },
  [`GET ${IDENTITY_PATH}/erasure`]: {
    tag: IDENTITIES,
    summary: 'Show that a person was erased',
    description:
      'Answers the events of the erasure, after a check of their authentication codes, and whether the streams that held the data can still be read.',
    answer: {
      identityId: 'uuid',
      state: ['ERASING', 'SESSIONS_LEFT', 'ERASED'],
      erasedAt: 'seconds',
      'erasedBy?': 'string: The id of a token, `first-start`, or the subjectId at the portal.',
      events: [
        { type: ['IdentityErased', 'ErasureCompleted', 'SessionsErased'], eventId: 'uuid', sequence: 'integer', at: 'seconds', 'mac?': 'string' },
      ],
      checkedAt: 'seconds',
      streams: [{ stream: 'string', readable: 'boolean: Whether a read still answers an event.' }],
      readModel: {
        listed: 'boolean: Whether the list of persons has the person.',
        subjectIds: 'integer: The number of subjectIds that still lead to the person.',
      },
    },
    errors: ['identity_not_found'],
  },
  [`POST ${IDENTITY_PATH}/activation-codes`]: {
    tag: IDENTITIES,
    summary: 'Issue an activation code',
    answer: { activationCode: 'string: Enrols one device.', expiresAt: 'seconds', link: 'uri: Opens the web phone with the code.' },
    errors: ['identity_not_found', 'approval_required'],
  },
  [`GET ${IDENTITY_PATH}/devices`]: {
    tag: IDENTITIES,
    summary: 'List the devices of a person',
    answer: {
      devices: [
        {
          deviceId: 'uuid',
          name: 'string',
          platform: 'string',
          status: ['ACTIVE', 'LOCKED', 'REVOKED'],
          'lockedUntil?': 'seconds',
          enrolledAt: 'seconds',
        },
      ],
      ...NEXT,
    },
    errors: ['identity_not_found'],
  },
  [`DELETE ${IDENTITY_PATH}/devices/{deviceId}`]: {
    tag: IDENTITIES,
    summary: 'Revoke a device',
    errors: ['identity_not_found', 'device_not_found'],
  },
};
