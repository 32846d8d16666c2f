import type { OperationNotes } from '../operation-note.js';
import { LONG_POLL } from './relying-party.js';

const TAG = 'Phone';

/** `/app/v1` (specification/app.md). */
export const APP_NOTES: OperationNotes = {
  'POST /app/v1/device': {
    tag: TAG,
    summary: 'Enrol this phone',
    answer: {
      deviceId: 'uuid',
      name: 'string',
      'signingCertificate?': 'base64: DER. Absent where the service signs nothing.',
      'certificateChain?': 'strings: Base64 DER, the issuing CA first, the root last.',
    },
    errors: ['invalid_activation_code'],
  },
  'GET /app/v1/device': {
    tag: TAG,
    summary: 'Read the state of this phone',
    answer: { deviceId: 'uuid', status: ['ACTIVE', 'LOCKED'], 'lockedUntil?': 'seconds' },
  },
  'GET /app/v1/session/pending': {
    tag: TAG,
    summary: 'List the requests pushed to this person',
    description:
      'With `Prefer: return=representation` a phone that is not locked also gets the name of the relying party and the type of the signature.',
    answer: {
      sessions: [{ sessionId: 'uuid', expiresAt: 'seconds', 'relyingPartyName?': 'string', 'signatureType?': ['AUTHENTICATION', 'SIGNING'] }],
    },
    headers: LONG_POLL,
  },
  'GET /app/v1/push-subscription': {
    tag: TAG,
    summary: 'Read whether this phone is woken by pushes',
    answer: { subscribed: 'boolean', 'publicKey?': 'string: The applicationServerKey, base64url. Absent where the service sends no pushes.' },
  },
  'PUT /app/v1/push-subscription': {
    tag: TAG,
    summary: 'Wake this phone by Web Push',
    description: "The browser's PushSubscription as JSON. It takes the place of an earlier one.",
  },
  'DELETE /app/v1/push-subscription': {
    tag: TAG,
    summary: 'Wake this phone no more',
  },
  'POST /app/v1/session/{sessionId}/scan': {
    tag: TAG,
    summary: 'Scan a session',
    answer: {
      sessionId: 'uuid',
      signatureType: ['AUTHENTICATION', 'SIGNING'],
      relyingPartyName: 'string',
      'title?': 'string',
      expiresAt: 'seconds',
      'requested?': { attributes: 'strings', predicates: 'strings' },
      'signedDataName?': 'string',
      'signedDataHash?': 'string: SHA-512, lower-case hex.',
      'signedDataSize?': 'integer: Bytes, as the client said.',
      'documents?': [{ name: 'string', hash: 'string: SHA-512, lower-case hex.', 'size?': 'integer' }],
      'manifest?': 'base64: The ASiCManifest whose digest is signed.',
      toBeSigned: 'base64',
      signatureAlgorithm: ['ES256', 'ES384', 'RS512'],
      'returnUrl?': 'uri',
      'verificationCodes?': 'strings: Of a pushed session: the choices of the person. The waiting page shows one of them.',
    },
    errors: ['session_not_found', 'session_already_scanned', 'subject_not_allowed', 'session_expired', 'invalid_qr', 'device_locked'],
  },
  'POST /app/v1/session/{sessionId}/pin': {
    tag: TAG,
    summary: 'Judge the PIN before anything is signed',
    description: 'A wrong PIN counts as at confirm, which judges it once more.',
    answer: { accepted: 'boolean' },
    errors: ['wrong_verification_code', 'wrong_pin', 'device_locked', 'session_not_scanned', 'session_expired', 'session_not_found'],
  },
  'POST /app/v1/session/{sessionId}/confirm': {
    tag: TAG,
    summary: 'Confirm with the PIN',
    answer: { status: 'string', 'returnUrl?': 'uri: Of a hosted login that was opened by a link: where the browser of this device goes on.' },
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
    tag: TAG,
    summary: 'Decline a session',
    answer: { status: 'string' },
    errors: ['session_not_scanned', 'session_not_found'],
  },
};
