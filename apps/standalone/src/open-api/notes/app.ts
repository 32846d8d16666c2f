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
  'POST /app/v1/device/holder': {
    tag: TAG,
    summary: 'Read whose phone an activation code makes this one',
    description: 'Proven by the new key, as the enrolment. The code stays usable. The phone shows the name before it enrols.',
    answer: { givenName: 'string', familyName: 'string' },
    errors: ['invalid_activation_code'],
  },
  'POST /app/v1/device/certificate': {
    tag: TAG,
    summary: "Renew this phone's signing certificate",
    description:
      'For the same key, without a PIN, in the last 30 days of the certificate or the last third of a shorter life. Before that it answers the present one.',
    answer: { signingCertificate: 'base64: DER', certificateChain: 'strings: Base64 DER, the issuing CA first, the root last.' },
    errors: ['device_locked', 'device_not_found'],
  },
  'GET /app/v1/device': {
    tag: TAG,
    summary: 'Read the state of this phone',
    answer: { deviceId: 'uuid', status: ['ACTIVE', 'LOCKED'], 'lockedUntil?': 'seconds' },
  },
  'DELETE /app/v1/device': {
    tag: TAG,
    summary: 'Revoke this phone',
    description: 'For good: afterwards no proof of it is accepted. A locked phone may, too.',
  },
  'GET /app/v1/devices': {
    tag: TAG,
    summary: "List this person's phones",
    description: 'Without revoked ones, the newest enrolment first. `current` is the phone that asks.',
    answer: {
      devices: [{ deviceId: 'uuid', name: 'string', platform: 'string', status: ['ACTIVE', 'LOCKED'], enrolledAt: 'seconds', current: 'boolean' }],
    },
    errors: ['device_locked'],
  },
  'POST /app/v1/devices/{deviceId}/revoke': {
    tag: TAG,
    summary: "Revoke one of this person's phones",
    description: 'For good. It takes the PIN of the phone that asks; a wrong one counts as at a login.',
    errors: ['device_not_found', 'wrong_pin', 'device_locked'],
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
  'GET /app/v1/session/{sessionId}': {
    tag: TAG,
    summary: 'Read who asks, before the scan',
    description: 'Takes nothing and tells nothing about the person. A phone that a link has opened shows the answer and waits for a tap.',
    answer: {
      sessionId: 'uuid',
      signatureType: ['AUTHENTICATION', 'SIGNING'],
      relyingPartyName: 'string',
      'relyingPartyDomain?': 'string: Host of the redirect URI.',
      'admission?': 'string: Of a dynamic QR code, base64url: takes the place of the frame at the scan of this device.',
    },
    errors: ['session_not_found', 'session_already_scanned', 'session_expired', 'invalid_qr', 'device_locked'],
  },
  'POST /app/v1/session/{sessionId}/scan': {
    tag: TAG,
    summary: 'Scan a session',
    answer: {
      sessionId: 'uuid',
      signatureType: ['AUTHENTICATION', 'SIGNING'],
      relyingPartyName: 'string',
      'relyingPartyDomain?': 'string: Host of the redirect URI.',
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
      'waitingPage?': {
        'browser?': 'string: Of a hosted login: the kind of the browser that claimed it, as it says.',
        'system?': 'string: Its system, as it says.',
        'sameNetwork?': 'boolean: Whether it is in the network of this phone. Absent where the service cannot tell.',
      },
    },
    errors: ['session_not_found', 'session_already_scanned', 'subject_not_allowed', 'session_expired', 'invalid_qr', 'device_locked'],
  },
  'POST /app/v1/session/{sessionId}/pin': {
    tag: TAG,
    summary: 'Judge the PIN before anything is signed',
    description: 'A wrong PIN counts as at confirm, which judges it once more.',
    answer: { accepted: 'boolean', 'signingTime?': 'seconds: SIGNING: the time of the PIN, to be signed as signing-time.' },
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
