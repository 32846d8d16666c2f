import { domainError } from '#kernel';

import type { onRequestAsyncHookHandler } from 'fastify';

import { Unauthorized } from './bearer-authentication.js';
import { callerOf } from './client-network.js';
import { cookiesIn, theOnly } from './cookies.js';
import type { FailureThrottle } from './failure-throttle.js';

export class PortalHeaderRequired extends domainError('portal_header_required') {}

/** The name of the portal's session cookie. Over https the browser keeps it to this host, https and the whole origin (RFC 6265bis §4.1.3.2). */
export const portalCookieName = (portalUrl: string): string => (portalUrl.startsWith('https:') ? '__Host-svc_portal' : 'svc_portal');

/** Throws {@link PortalHeaderRequired}. No form and no simple cross-origin request can send the header `X-Service-Portal: 1`. */
export const requirePortalHeader = (headers: Readonly<Record<string, unknown>>): void => {
  if (headers['x-service-portal'] !== '1') throw new PortalHeaderRequired('header X-Service-Portal missing or wrong');
};

/**
 * Takes the session of a person from the portal's cookie. A request with `Authorization`, or without the cookie, is left to the next hook. The cookie counts only beside the
 * header `X-Service-Portal`, whatever the method. Of several cookies the live one counts; two live ones are refused, since one of them is planted.
 */
export const portalAuthentication =
  <Person extends object>(
    find: (cookie: string) => Promise<Person | undefined>,
    throttle: FailureThrottle,
    cookieName: string,
  ): onRequestAsyncHookHandler =>
  async (request) => {
    if (request.headers.authorization !== undefined) return;
    const cookies = cookiesIn(request.headers.cookie, cookieName);
    if (cookies.length === 0) return;
    requirePortalHeader(request.headers);
    const person = await throttle.guard(callerOf(request), async () => theOnly(await Promise.all(cookies.map(find))));
    if (!person) throw new Unauthorized('no live session of the portal');
    request.principal = person;
  };
