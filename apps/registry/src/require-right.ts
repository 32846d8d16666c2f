import type { FastifyRequest, onRequestHookHandler } from 'fastify';

import type { Administrator } from '#administration';
import { DomainError } from '#kernel';

import { ADMIN_RIGHTS } from './admin-rights.js';

export class Forbidden extends DomainError {
  readonly code = 'forbidden';
}

/** Method and pattern of the route that the router has found, whatever the path's spelling: `GET /admin/v1/clients/:clientId`. HEAD counts as GET. */
export const routeOf = ({ method, routeOptions }: FastifyRequest): string => `${method === 'HEAD' ? 'GET' : method} ${routeOptions.url ?? ''}`;

/** Refuses what the token's role may not do, and every route without a rule. Unknown paths are answered 404 later. */
export const requireRight: onRequestHookHandler = (request, _reply, done) => {
  if (request.is404) return done();
  const { roles } = request.principal as Administrator;
  const allowed = Object.hasOwn(ADMIN_RIGHTS, routeOf(request)) ? ADMIN_RIGHTS[routeOf(request)] : undefined;
  if (roles.some((role) => allowed?.includes(role))) return done();
  done(new Forbidden(`the role ${roles.join(', ')} may not call ${routeOf(request)}`));
};
