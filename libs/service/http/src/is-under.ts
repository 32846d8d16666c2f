import type { FastifyRequest } from 'fastify';

/**
 * Whether a request is for a path below the prefix, as the router sees it: another spelling of the path (`/%6cogin-ui/…`) reaches the same route.
 * A request without a route counts by the path that it gives.
 */
export const isUnder = ({ is404, routeOptions, url }: FastifyRequest, prefix: string): boolean =>
  (is404 ? url : (routeOptions.url ?? url)).startsWith(prefix);
