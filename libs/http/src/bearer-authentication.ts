import { constantTimeEqual, DomainError, type Secret, sha256 } from '#kernel';

import type { onRequestAsyncHookHandler } from 'fastify';

import type { FailureThrottle } from './failure-throttle.js';

export class Unauthorized extends DomainError {
  readonly code = 'unauthorized';
}

/** Requires the token (RFC 6750 §2.1) on every route that is not marked open. Compares in constant time. */
export const bearerAuthentication = (token: Secret<string>, throttle: FailureThrottle): onRequestAsyncHookHandler => {
  const expected = sha256(token.reveal());
  return async (request, reply) => {
    if (request.routeOptions.config?.open === true) return;
    const given = /^bearer +(\S+) *$/i.exec(request.headers.authorization ?? '')?.[1] ?? '';
    if (constantTimeEqual(sha256(given), expected)) return;
    await throttle.failed(request.ip);
    reply.raw.setHeader('WWW-Authenticate', 'Bearer realm="admin"');
    throw new Unauthorized(given === '' ? 'no bearer token' : 'wrong bearer token');
  };
};
