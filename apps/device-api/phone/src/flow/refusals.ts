import type { Reply } from '#web-page/browser';
import type { Outcome } from './outcome.js';
import type { EnrolFault } from './phone-state.js';

type Refusal = Extract<Reply<never>, { kind: 'REFUSED' }>;

/** How a refused scan, confirmation or decline ends the request. Wrong PINs and revoked devices end nothing and are handled before. */
export const outcomeOf = ({ status, errorCode, payload }: Refusal): Outcome => {
  switch (errorCode) {
    case 'session_not_found':
      return 'NOT_KNOWN';
    case 'session_already_scanned':
      return 'USED_ON_ANOTHER_PHONE';
    case 'subject_not_allowed':
      return 'NOT_FOR_YOU';
    case 'session_expired':
      return isOfRevokedPhone(payload) ? 'PHONE_REMOVED' : 'EXPIRED';
    case 'session_not_scanned':
      return 'EXPIRED';
    case 'wrong_verification_code':
      return 'WRONG_CODE';
    case 'invalid_qr':
      return 'CODE_TOO_OLD';
    case 'invalid_signature':
      return 'SET_UP_AGAIN';
    case 'invalid_request':
      return isRemediedByEnrolment(payload) ? 'SET_UP_AGAIN' : 'FAILED';
    case 'device_locked':
      return 'LOCKED';
    default:
      return status === 423 ? 'LOCKED' : 'FAILED';
  }
};

/** Another phone of the person had taken the request, and was revoked (specification/app.md#sessions-of-a-revoked-phone). */
const isOfRevokedPhone = (payload: unknown): boolean =>
  typeof payload === 'object' && payload !== null && 'reason' in payload && payload.reason === 'DEVICE_REVOKED';

/** The signing certificate has ended or was revoked (specification/app.md#post-scan). */
const isRemediedByEnrolment = (payload: unknown): boolean =>
  typeof payload === 'object' && payload !== null && 'remedy' in payload && payload.remedy === 'ENROL_AGAIN';

/** The fault of a refused or unanswered enrolment. */
export const enrolFault = (reply: Exclude<Reply<unknown>, { kind: 'OK' }>): EnrolFault => {
  if (reply.kind === 'UNREACHABLE') return 'UNREACHABLE';
  return reply.errorCode === 'invalid_activation_code' ? 'CODE_REFUSED' : 'FAILED';
};

/** How many attempts are left after a wrong PIN; 0 when the service does not say. */
export const attemptsLeftIn = (payload: unknown): number => {
  const left = typeof payload === 'object' && payload !== null && 'attemptsLeft' in payload ? payload.attemptsLeft : 0;
  return typeof left === 'number' && left > 0 ? left : 0;
};
