import type { FastifyInstance, FastifyRequest } from 'fastify';

import { RateLimited } from '#rate-limit';

import { callerOf } from './client-network.js';
import type { ErrorCode } from './error-catalogue.js';
import { errorEnvelope } from './error-envelope.js';
import type { FailureThrottle } from './failure-throttle.js';
import { refusalOf } from './refusal.js';

/** The refusals of callers that have shown no credential: anyone can cause any number of them. */
const COUNTED: ReadonlySet<ErrorCode> = new Set([
  'invalid_device_proof',
  'invalid_activation_code',
  'login_header_required',
  'no_login_cookie',
  'invalid_handoff',
]);

/**
 * Answers 429 to an address that was refused too often for the lack of a credential. Right credentials are neither counted nor limited, as many phones may share an address.
 *
 * @param beforeCheck requests whose check itself costs work: an address that has reached the limit is refused before it.
 */
export const throttleRefusals = (
  fastify: FastifyInstance,
  throttle: FailureThrottle,
  beforeCheck: (request: FastifyRequest) => boolean = () => false,
): void => {
  const taken = new WeakSet<FastifyRequest>();

  fastify.addHook('onRequest', async (request) => {
    if (request.is404 || !beforeCheck(request)) return;
    await throttle.failed(callerOf(request));
    taken.add(request);
  });

  fastify.addHook('onSend', async (request, reply, payload) => {
    const failed = request.refusal !== undefined && COUNTED.has(request.refusal.errorCode);
    if (taken.has(request)) {
      if (!failed) await throttle.passed(callerOf(request));
      return payload;
    }
    return failed
      ? beyondLimit(throttle, request).then((refusal) => {
          if (!refusal) return payload;
          request.refusal = refusal;
          reply.code(refusal.status).headers(refusal.headers ?? {});
          return JSON.stringify(errorEnvelope(refusal.errorCode));
        })
      : payload;
  });
};

const beyondLimit = async (throttle: FailureThrottle, request: FastifyRequest) => {
  try {
    await throttle.failed(callerOf(request));
    return undefined;
  } catch (error) {
    if (error instanceof RateLimited) return refusalOf(error);
    throw error;
  }
};
