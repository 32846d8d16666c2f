import type { OperationNotes } from '../operation-note.js';
import { LONG_POLL } from './relying-party.js';

const TAG = 'Phone';

/** `/app/v1` (specification/app.md). */
export const APP_NOTES: OperationNotes = {
  'POST /app/v1/device': { id: 'enrolDevice', answer: 'EnrolledDevice', tag: TAG, summary: 'Enrol this phone', errors: ['invalid_activation_code'] },
  'POST /app/v1/device/holder': {
    id: 'getHolder',
    answer: 'Holder',
    tag: TAG,
    summary: 'Read the person of an activation code',
    description:
      'The proof is made with the new key, as at the enrolment. The code can still be used afterwards. The phone shows the name to the person before it enrols.',
    errors: ['invalid_activation_code'],
  },
  'POST /app/v1/device/certificate': {
    id: 'renewCertificate',
    answer: 'Certificate',
    tag: TAG,
    summary: "Renew this phone's signing certificate",
    description:
      'The new certificate has the same key, and no PIN is needed. The service issues it in the last 30 days of the certificate, or in the last third of a shorter life. Before that it answers the present certificate.',
    errors: ['device_locked', 'device_not_found'],
  },
  'GET /app/v1/device': { id: 'getDevice', answer: 'OwnDevice', tag: TAG, summary: 'Read the state of this phone' },
  'DELETE /app/v1/device': {
    id: 'revokeDevice',
    tag: TAG,
    summary: 'Revoke this phone',
    description: 'This is permanent: the service accepts no proof of this phone afterwards. A locked phone can revoke itself too.',
  },
  'GET /app/v1/devices': {
    id: 'listDevices',
    answer: 'DeviceList',
    tag: TAG,
    summary: "List this person's phones",
    description: 'Revoked phones are left out. The newest enrolment comes first. `current` marks the phone that asks.',
    errors: ['device_locked'],
  },
  'POST /app/v1/devices/{deviceId}/revoke': {
    id: 'revokeOtherDevice',
    tag: TAG,
    summary: "Revoke one of this person's phones",
    description: 'This is permanent. It needs the PIN of the phone that asks. A wrong PIN counts as at a login.',
    errors: ['device_not_found', 'wrong_pin', 'device_locked'],
  },
  'GET /app/v1/blocked-clients': {
    id: 'listBlockedClients',
    answer: 'BlockedClientList',
    tag: TAG,
    summary: 'List the clients that this person has blocked',
    errors: ['device_locked'],
  },
  'PUT /app/v1/blocked-clients/{clientId}': {
    id: 'blockClient',
    tag: TAG,
    summary: 'Block the pushes of a client',
    description: 'Its requests then reach the person by a code only: a push answers NO_DEVICE, and its sessions leave the inbox. It may be repeated.',
    errors: ['client_not_found', 'device_locked'],
  },
  'PUT /app/v1/blocked-clients/{clientId}/report': {
    id: 'reportClient',
    tag: TAG,
    summary: 'Block a client and report it',
    description:
      'As the block; the operator is told as well, once, that a person did not want the requests of this client. The report does not name the person.',
    errors: ['client_not_found', 'device_locked'],
  },
  'DELETE /app/v1/blocked-clients/{clientId}': {
    id: 'unblockClient',
    tag: TAG,
    summary: 'Let a client push again',
    description: 'It may be repeated, also after the client was deleted.',
    errors: ['client_not_found', 'device_locked'],
  },
  'POST /app/v1/clients/{clientId}/logout': {
    id: 'logOutFromClient',
    tag: TAG,
    summary: 'Log this person out at a client',
    description:
      'The client gets a logout token (OpenID Connect Back-Channel Logout 1.0). It may be repeated: within a minute the client gets one. The scan names the clients that take logouts: `logoutClientId`.',
    errors: ['client_not_found', 'logout_not_supported', 'device_locked'],
  },
  'GET /app/v1/session/pending': {
    id: 'listPendingSessions',
    answer: 'PendingSessionList',
    tag: TAG,
    summary: 'List the requests pushed to this person',
    description:
      'With `Prefer: return=representation` a phone that is not locked also gets the name of the relying party and the type of the signature.',
    headers: LONG_POLL,
  },
  'GET /app/v1/push-subscription': {
    id: 'getPushSubscription',
    answer: 'PushSubscriptionState',
    tag: TAG,
    summary: 'Read whether this phone is woken by pushes',
    description: 'A subscription that the push service has ended no longer counts: the browser then needs another one.',
  },
  'PUT /app/v1/push-subscription': {
    id: 'setPushSubscription',
    tag: TAG,
    summary: 'Wake this phone by Web Push',
    description:
      "The browser's PushSubscription as JSON. It takes the place of an earlier one. One that the push service has ended is refused: the browser has to subscribe again.",
  },
  'DELETE /app/v1/push-subscription': { id: 'deletePushSubscription', tag: TAG, summary: 'Stop waking this phone' },
  'GET /app/v1/session/{sessionId}': {
    id: 'previewSession',
    answer: 'SessionPreview',
    tag: TAG,
    summary: 'Read who asks, before the scan',
    description:
      'The session stays open for other phones, and the relying party learns nothing about the person. A phone that was opened by a link shows the answer and waits for a tap.',
    errors: ['session_not_found', 'session_already_scanned', 'session_expired', 'invalid_qr', 'device_locked'],
  },
  'GET /app/v1/session/{sessionId}/client': {
    id: 'getSessionClient',
    answer: 'SessionClient',
    tag: TAG,
    summary: 'Read the client of a session',
    description: 'Also of a session that has ended, so that the person can block the client after a Decline.',
    errors: ['session_not_found', 'device_locked'],
  },
  'POST /app/v1/session/{sessionId}/scan': {
    id: 'scanSession',
    answer: 'ScannedSession',
    tag: TAG,
    summary: 'Scan a session',
    errors: [
      'session_not_found',
      'session_already_scanned',
      'subject_not_allowed',
      'session_expired',
      'invalid_qr',
      'device_locked',
      'details_not_shown',
    ],
  },
  'POST /app/v1/session/{sessionId}/pin': {
    id: 'checkPin',
    answer: 'AcceptedPin',
    tag: TAG,
    summary: 'Check the PIN before the phone signs',
    description: 'A wrong PIN counts as at confirm. Confirm checks the PIN again.',
    errors: ['wrong_verification_code', 'wrong_pin', 'device_locked', 'session_not_scanned', 'session_expired', 'session_not_found'],
  },
  'POST /app/v1/session/{sessionId}/confirm': {
    id: 'confirmSession',
    answer: 'Confirmation',
    tag: TAG,
    summary: 'Confirm with the PIN',
    errors: [
      'wrong_verification_code',
      'wrong_pin',
      'device_locked',
      'session_not_scanned',
      'session_expired',
      'invalid_signature',
      'session_not_found',
    ],
  },
  'POST /app/v1/session/{sessionId}/decline': {
    id: 'declineSession',
    answer: 'DeclinedSession',
    tag: TAG,
    summary: 'Decline a session',
    errors: ['session_not_scanned', 'session_not_found'],
  },
};
