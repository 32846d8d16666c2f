import type { FastifyInstance, FastifyRequest } from 'fastify';

import { beyondLimit } from '#engines/rate-limit';

import { callerOf } from './client-network.js';
import type { ErrorCode } from './error-catalogue.js';
import { errorEnvelope } from './error-envelope.js';
import type { FailureThrottle } from './failure-throttle.js';
import { refusalOf } from './refusal.js';

/** The refusals of callers that have shown no credential: anyone can cause any number of them. */
const COUNTED: ReadonlySet<ErrorCode> = new Set(['invalid_device_proof', 'login_header_required', 'no_login_cookie', 'invalid_handoff']);

/**
 * Answers 429 to a caller that was refused too often for the lack of a credential. Right credentials are neither counted nor limited, as many phones may share an address.
 *
 * @param isCountedElsewhere requests that `throttleAttempts` counts.
 */
export const throttleRefusals = (
  fastify: FastifyInstance,
  throttle: FailureThrottle,
  isCountedElsewhere: (request: FastifyRequest) => boolean = () => false,
): void => {
  fastify.addHook('onSend', async (request, reply, payload) => {
    if (request.refusal === undefined || !COUNTED.has(request.refusal.errorCode) || isCountedElsewhere(request)) return payload;
    const limited = await beyondLimit(throttle.failed(callerOf(request)));
    if (!limited) return payload;
    const refusal = refusalOf(limited);
    request.refusal = refusal;
    reply.code(refusal.status).headers(refusal.headers ?? {});
    return JSON.stringify(errorEnvelope(refusal.errorCode));
  });
};
