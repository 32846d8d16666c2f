import type { OperationNotes } from '../operation-note.js';

const TAG = 'Sandbox';

/** `/sandbox/v1` (specification/sandbox.md). */
export const SANDBOX_NOTES: OperationNotes = {
  'POST /sandbox/v1/phones': {
    tag: TAG,
    summary: 'Make a person with a phone',
    answer: {
      phoneId: 'string',
      persona: 'string',
      identity: {
        identityId: 'uuid',
        givenName: 'string',
        familyName: 'string',
        personalCode: 'string',
        'dateOfBirth?': 'date',
        country: 'string',
        email: 'string',
        phoneNumber: 'string',
      },
    },
  },
  'POST /sandbox/v1/phones/{phoneId}/scan': {
    tag: TAG,
    summary: 'Let a phone scan a QR code',
    answer: { status: 'string', scanned: {} },
    errors: ['phone_not_found', 'session_not_found', 'session_already_scanned', 'session_expired'],
  },
  'POST /sandbox/v1/clock': { tag: TAG, summary: 'Move the clock forward', answer: { now: 'seconds' } },
  'POST /sandbox/v1/faults': {
    tag: TAG,
    summary: 'Make something fail, or work again',
    description: 'The body is an object with a field for each fault, such as `{"time_stamp_down": true}`. The answer tells how the named ones stand.',
    answer: {},
    errors: ['invalid_request'],
    readsBody: true,
  },
};
