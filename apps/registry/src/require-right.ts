import type { FastifyRequest, onRequestHookHandler } from 'fastify';

import type { Administrator } from '#domain/administration';
import { type ClientId, DomainError, parseId } from '#kernel';

import { ADMIN_RIGHTS } from './admin-rights.js';

export class Forbidden extends DomainError {
  readonly code = 'forbidden';
}

/** Method and pattern of the route that the router has found, whatever the path's spelling: `GET /admin/v1/clients/:clientId`. HEAD counts as GET. */
export const routeOf = ({ method, routeOptions }: FastifyRequest): string => `${method === 'HEAD' ? 'GET' : method} ${routeOptions.url ?? ''}`;

/** Refuses what the caller's roles may not do, what belongs to another relying party than a member's, and every route without a rule. Unknown paths are answered 404 later. */
export const requireRight: onRequestHookHandler = (request, _reply, done) => {
  if (request.is404) return done();
  const { roles, clients = [] } = request.principal as Administrator;
  const allowed = Object.hasOwn(ADMIN_RIGHTS, routeOf(request)) ? ADMIN_RIGHTS[routeOf(request)] : undefined;
  if (roles.some((role) => allowed?.includes(role))) return done();
  const clientId = parseId<ClientId>((request.params as Readonly<Record<string, unknown>>)['clientId']);
  if (clientId && allowed?.includes('member') && clients.includes(clientId)) return done();
  done(new Forbidden(`${roles.join(', ') || 'a member'} may not call ${routeOf(request)}`));
};

/** Refuses the fields of a change of a client that a member may not send. */
export const requireFields = (body: object, allowed: ReadonlySet<string>): void => {
  const given = Object.entries(body).flatMap(([name, value]) => (value === undefined ? [] : [name]));
  const refused = given.filter((name) => !allowed.has(name));
  if (refused.length > 0) throw new Forbidden(`a member may not change ${refused.join(', ')}`);
};
