import type { onRequestHookHandler } from 'fastify';

import { isUnder } from '#service/http';
import { domainError } from '#kernel';

export class LoginHeaderRequired extends domainError('login_header_required') {}

/**
 * Requires `X-Service-Login: 1` on every call, before cookies or body are read. No form and no simple cross-origin request
 * can send it, so a request that carries it has passed CORS (specification/login-ui.md#the-x-service-login-header).
 */
export const requireLoginHeader: onRequestHookHandler = (request, _reply, done) => {
  if (request.method === 'OPTIONS' || !isUnder(request, '/login-ui/')) return done();
  if (request.headers['x-service-login'] === '1') return done();
  done(new LoginHeaderRequired('header X-Service-Login missing or wrong'));
};
