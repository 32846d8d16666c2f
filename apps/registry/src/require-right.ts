import type { FastifyRequest, onRequestHookHandler } from 'fastify';

import type { Administrator, SentChange, TeamRole } from '#domain/administration';
import { type ClientId, DomainError, parseId } from '#kernel';

import { ADMIN_RIGHTS, FIRST_START_ROUTES, type Right } from './admin-rights.js';

export class Forbidden extends DomainError {
  readonly code = 'forbidden';
}

/** Method and pattern of the route that the router has found, whatever the path's spelling: `GET /admin/v1/clients/:clientId`. HEAD counts as GET. */
export const routeOf = ({ method, routeOptions }: FastifyRequest): string => `${method === 'HEAD' ? 'GET' : method} ${routeOptions.url ?? ''}`;

/** The relying party in the path. */
export const clientIdIn = (request: FastifyRequest): ClientId | undefined =>
  parseId<ClientId>((request.params as Readonly<Record<string, unknown>>)['clientId']);

/** The caller's role in the team of a relying party. */
export const teamRoleOf = ({ teams = [] }: Administrator, clientId: ClientId | undefined): TeamRole | undefined =>
  teams.find((team) => team.clientId === clientId)?.role;

/**
 * Refuses what the caller's roles may not do, what belongs to another relying party than a member's or a token's, a route that the token does not name, and every route
 * without a rule. Unknown paths are answered 404 later.
 */
export const requireRight: onRequestHookHandler = (request, _reply, done) => {
  if (request.is404) return done();
  const caller = request.principal as Administrator;
  const route = routeOf(request);
  const allowed = Object.hasOwn(ADMIN_RIGHTS, route) ? (ADMIN_RIGHTS[route] ?? []) : [];
  if (isAllowed(caller, allowed, clientIdIn(request)) && isWithinReach(caller, route, request)) return done();
  done(new Forbidden(`${caller.roles.join(', ') || 'a member'} may not call ${route}`));
};

/** Whether the caller may call another route, of the relying party. */
export const mayCall = (caller: Administrator, route: string, clientId?: ClientId): boolean =>
  isAllowed(caller, ADMIN_RIGHTS[route] ?? [], clientId) && (!caller.reach || caller.reach.routes.includes(route));

/** Whether a person of these rights may ask for a change that was sent before. Refuses one of which no route is known. */
export const mayAsk = ({ roles, teams }: Pick<Administrator, 'roles' | 'teams'>, { method, path }: Pick<SentChange, 'method' | 'path'>): boolean => {
  const segments = new URL(path, 'http://any').pathname.split('/').map(decodeURIComponent);
  const route = Object.keys(ADMIN_RIGHTS).find((each) => isPatternOf(each, method, segments));
  if (route === undefined) return false;
  const at = route.split(' ')[1]?.split('/').indexOf(':clientId') ?? -1;
  return isAllowed({ id: '', roles, ...(teams && { teams }) }, ADMIN_RIGHTS[route] ?? [], parseId<ClientId>(segments[at]));
};

const isPatternOf = (route: string, method: string, segments: readonly string[]): boolean => {
  const [ofRoute, pattern = ''] = route.split(' ');
  const parts = pattern.split('/');
  return ofRoute === method && parts.length === segments.length && parts.every((part, index) => part.startsWith(':') || part === segments[index]);
};

const isAllowed = (caller: Administrator, allowed: readonly Right[], clientId: ClientId | undefined): boolean => {
  if (caller.roles.some((role) => allowed.includes(role))) return true;
  if (caller.human && allowed.includes('person')) return true;
  const role = clientId && teamRoleOf(caller, clientId);
  return role !== undefined && allowed.includes(role);
};

/** A machine calls the routes that it was made for, and for its relying parties alone. */
const isWithinReach = ({ reach, firstStartOnly }: Administrator, route: string, request: FastifyRequest): boolean => {
  if (firstStartOnly) return FIRST_START_ROUTES.has(route);
  if (!reach) return true;
  const clientId = clientIdIn(request);
  return reach.routes.includes(route) && (!reach.clients || (clientId !== undefined && reach.clients.includes(clientId)));
};

/** Refuses the fields of a change of a client that a member may not send. */
export const requireFields = (body: object, allowed: ReadonlySet<string>): void => {
  const given = Object.entries(body).flatMap(([name, value]) => (value === undefined ? [] : [name]));
  const refused = given.filter((name) => !allowed.has(name));
  if (refused.length > 0) throw new Forbidden(`a member may not change ${refused.join(', ')}`);
};
