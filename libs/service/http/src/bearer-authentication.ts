import { domainError } from '#kernel';

import type { onRequestAsyncHookHandler } from 'fastify';

import { callerOf } from './client-network.js';
import type { FailureThrottle } from './failure-throttle.js';

export class Unauthorized extends domainError('unauthorized') {}

/** The holder of this token, or undefined. Has to compare in constant time. */
export type AuthenticateHolder<Holder extends object> = (token: string) => Promise<Holder | undefined>;

/**
 * Requires a token (RFC 6750 §2.1) on every route that is not marked open, unless an earlier hook has found who calls. An address that has failed too often is refused before its token is compared, a
 * right one too: otherwise the limit would not end the guessing (specification/conventions.md#rate-limits).
 */
export const bearerAuthentication =
  <Holder extends object>(authenticate: AuthenticateHolder<Holder>, throttle: FailureThrottle): onRequestAsyncHookHandler =>
  async (request, reply) => {
    if (request.routeOptions.config?.open === true || request.principal !== undefined) return;
    const given = /^bearer +(\S+) *$/i.exec(request.headers.authorization ?? '')?.[1] ?? '';
    const holder = await throttle.guard(callerOf(request), async () => (given === '' ? undefined : authenticate(given)));
    if (holder) {
      request.principal = holder;
      return;
    }
    reply.raw.setHeader('WWW-Authenticate', 'Bearer realm="admin"');
    throw new Unauthorized(given === '' ? 'no bearer token' : 'unknown bearer token');
  };
