import {
  ClientAuthenticationFailed,
  CountersignError,
  InvalidGrant,
  RateLimited,
  RefusedRequest,
  ServiceUnavailable,
  ServiceUnreachable,
  SessionConflict,
  SessionNotFound,
} from '#clients/relying-party';

import type { DemoLog } from './demo-options.js';
import { isForeignCallback } from './logins.js';
import { type Message, MESSAGES } from './views/message.js';

/**
 * The message for the user when something fails. The log gets errorCode and HTTP status, as specification/conventions.md#error-envelope
 * recommends. The service's own text reaches neither page nor log.
 */
export const failureMessage = (error: unknown, log: DemoLog): Message => {
  if (isForeignCallback(error)) {
    log.warn('callback refused', { reason: error instanceof CountersignError ? error.message : 'another subject' });
    return MESSAGES.NOT_OURS;
  }
  if (error instanceof RefusedRequest) {
    const { httpStatus: status, errorCode } = error;
    log.warn('the login service refused', { status, ...(errorCode !== undefined && { errorCode }) });
  }
  if (error instanceof InvalidGrant) return MESSAGES.TOO_LATE;
  if (error instanceof RateLimited) return MESSAGES.TOO_OFTEN;
  if (error instanceof SessionNotFound || error instanceof SessionConflict) return MESSAGES.NO_LOGIN;
  if (error instanceof ServiceUnavailable || error instanceof ServiceUnreachable) return MESSAGES.UNAVAILABLE;
  if (error instanceof ClientAuthenticationFailed || error instanceof RefusedRequest) return MESSAGES.REFUSED;
  const { statusCode } = error as { statusCode?: unknown };
  if (typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500) return MESSAGES.BAD_FORM;
  log.error('the demo failed', { error });
  return MESSAGES.FAILED;
};
