import type { OperationNotes } from '../operation-note.js';

const TAG = 'Sandbox';

/** `/sandbox/v1` (specification/sandbox.md). */
export const SANDBOX_NOTES: OperationNotes = {
  'POST /sandbox/v1/phones': { id: 'createPhone', answer: 'SandboxPhone', tag: TAG, summary: 'Make a person with a phone' },
  'POST /sandbox/v1/phones/{phoneId}/scan': {
    id: 'scanWithPhone',
    answer: 'PhoneOutcome',
    tag: TAG,
    summary: 'Let a phone scan a QR code',
    errors: ['phone_not_found', 'session_not_found', 'session_already_scanned', 'session_expired'],
  },
  'POST /sandbox/v1/phones/{phoneId}/login': {
    id: 'logInWithPhone',
    answer: 'PhoneLogin',
    tag: TAG,
    summary: 'Log in on the hosted page and a phone together',
    errors: ['phone_not_found', 'invalid_handoff', 'session_expired'],
  },
  'POST /sandbox/v1/clients': {
    id: 'registerTestClient',
    answer: 'TestClient',
    tag: TAG,
    summary: 'Register a client for one test',
    errors: ['name_taken'],
  },
  'GET /sandbox/v1/webhooks': {
    id: 'listRecordedWebhooks',
    answer: 'RecordedWebhooks',
    tag: TAG,
    summary: 'Read the webhooks of a client',
    errors: ['client_not_found'],
  },
  'POST /sandbox/v1/reset': {
    id: 'resetSandbox',
    tag: TAG,
    summary: 'Bring everything back to the beginning',
    errors: ['reset_not_possible'],
  },
  'POST /sandbox/v1/clock': { id: 'moveClock', answer: 'MovedClock', tag: TAG, summary: 'Move the clock forward' },
  'POST /sandbox/v1/faults': {
    id: 'switchFaults',
    answer: 'SwitchedFaults',
    tag: TAG,
    summary: 'Make something fail, or work again',
    description: 'The body is an object with a field for each fault, such as `{"time_stamp_down": true}`. The answer tells how the named ones stand.',
    errors: ['invalid_request'],
    readsBody: true,
  },
};
