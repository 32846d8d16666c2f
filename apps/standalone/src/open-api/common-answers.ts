import { errorCatalogue } from '#service/http';

import type { Schema } from './schema.js';

/** The name of the schema of refusals. */
export const ERROR_ANSWER = 'ErrorAnswer';

/** The member of a response that lists the codes of its refusals, for programs. */
export const ERROR_CODES = 'x-error-codes';

/** The envelope of a refusal (specification/conventions.md#error-envelope). Few codes carry a payload. */
export const errorAnswer = (codes: readonly string[] = Object.keys(errorCatalogue)): Schema => ({
  type: 'object',
  properties: {
    errorCode: { type: 'string', enum: [...codes], description: 'Decide by this value.' },
    defaultTranslation: { type: 'string', description: 'English text for developers.' },
    resultMessageLangCode: { type: 'string' },
    payload: {
      type: 'object',
      properties: {
        attemptsLeft: { type: 'integer', description: 'With `wrong_pin`: how often the PIN may be wrong before the device is locked.' },
        now: { type: 'integer', description: 'With `invalid_device_proof`: the time of the service. Epoch seconds.' },
      },
    },
  },
  required: ['errorCode', 'defaultTranslation', 'resultMessageLangCode', 'payload'],
});

/** A change that waits for an approval on the phone (specification/admin.md#critical-changes). */
export const WAITING_APPROVAL: Schema = {
  type: 'object',
  required: ['approval'],
  properties: {
    approval: {
      type: 'object',
      required: ['approvalId', 'title', 'expiresAt', 'verificationCode'],
      properties: {
        approvalId: { type: 'string', format: 'uuid' },
        title: { type: 'string', description: 'Object and change, as the phone shows them.' },
        expiresAt: { type: 'integer', description: 'Until then the phone can approve. Epoch seconds.' },
        verificationCode: { type: 'string', description: 'Two digits, which the person chooses on the phone.' },
      },
    },
  },
};
