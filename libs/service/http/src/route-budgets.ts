import type { FastifyInstance, FastifyRequest, onRequestAsyncHookHandler } from 'fastify';

import type { RateLimits } from '#engines/rate-limit';

/** Calls of one route in a minute. */
export interface Budget {
  /** By one caller: a person, a phone, a token. */
  readonly principal: number;
  /** By all callers of one relying party together. Absent: only callers are counted. */
  readonly tenant?: number;
}

/** The route has no budget of its own, for this reason. */
export interface OtherwiseLimited {
  readonly because: string;
}

/** By method and pattern, `GET /admin/v1/clients/:clientId`: every route of an app, of its API, its pages and its files. */
export type RouteBudgets = Readonly<Record<string, Budget | OtherwiseLimited>>;

/** Whom a call counts for. */
export interface BudgetHolders {
  readonly principal: string;
  /** The relying party. */
  readonly tenant?: string | undefined;
}

const MINUTE = 60;

/** Follows the routes that are added to the app from now on. Answers them, each as method and pattern; HEAD and OPTIONS are not listed. */
export const routeTable = (fastify: FastifyInstance): ReadonlySet<string> => {
  const routes = new Set<string>();
  fastify.addHook('onRoute', ({ method, url }) => {
    for (const each of [method].flat()) if (each !== 'HEAD' && each !== 'OPTIONS') routes.add(`${each} ${url}`);
  });
  return routes;
};

/** Throws an Error that names the routes without a budget and the budgets without a route: mistakes of a developer, which no start survives. */
export const assertBudgets = (routes: ReadonlySet<string>, budgets: RouteBudgets): void => {
  const without = [...routes].filter((route) => !Object.hasOwn(budgets, route));
  const stale = Object.keys(budgets).filter((route) => !routes.has(route));
  if (without.length > 0) throw new Error(`no budget is declared for ${without.join(', ')}`);
  if (stale.length > 0) throw new Error(`a budget is declared for no route: ${stale.join(', ')}`);
};

/**
 * Answers 429 to a call beyond the budget of its route (specification/conventions.md#budgets-of-routes), before the body is read and before anything is recorded. It comes after the credentials are
 * checked. `holdersOf`: undefined for a call that counts for no one.
 */
export const limitRoutes =
  (
    rateLimits: Pick<RateLimits, 'take'>,
    budgets: RouteBudgets,
    holdersOf: (request: FastifyRequest) => BudgetHolders | undefined,
  ): onRequestAsyncHookHandler =>
  async (request) => {
    if (request.is404) return;
    const route = `${request.method === 'HEAD' ? 'GET' : request.method} ${request.routeOptions.url ?? ''}`;
    const budget = Object.hasOwn(budgets, route) ? budgets[route] : undefined;
    if (!budget || 'because' in budget) return;
    const holders = holdersOf(request);
    if (!holders) return;
    const { principal, tenant } = budget;
    await rateLimits.take(
      { name: `calls:${route}`, times: principal, seconds: MINUTE },
      holders.principal,
      'too many calls of this route by one caller',
    );
    if (tenant === undefined || holders.tenant === undefined) return;
    await rateLimits.take(
      { name: `tenant:${route}`, times: tenant, seconds: MINUTE },
      holders.tenant,
      'too many calls of this route for one relying party',
    );
  };
