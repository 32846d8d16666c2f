import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';

import type { onRequestHookHandler } from 'fastify';

import { domainError } from '#kernel';
import { within } from '#service/http';

export class NotAllowed extends domainError('not_allowed') {}

/** By `SANDBOX_ALLOWED_NETWORKS` and `SANDBOX_ALLOWED_HOSTS`. */
export interface AllowedCallers {
  readonly networks: readonly string[];
  /** Names as in the header `Host`. One without a port stands for every port. */
  readonly hosts: readonly string[];
}

const LOOPBACK = ['127.0.0.0/8', '::1'];

/** The names of this machine that no name server can give to another one. */
const LOCAL_HOST = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/i;

/** Headers that a proxy adds: behind one, an address may stand for another machine. */
const FORWARDED = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via'];

/**
 * Answers this machine, and the networks that the settings name. The socket says where a request comes from; `Host` keeps out a web page whose own name
 * was made to point here (DNS rebinding), and `Origin` and `Sec-Fetch-Site` every page of another site. That bodies are JSON keeps
 * out forms once more. No route answers a preflight (CORS).
 */
export const knownCallers = ({ networks, hosts }: AllowedCallers): onRequestHookHandler => {
  const isNear = within([...LOOPBACK, ...networks]);
  const named = new Set(hosts.map((host) => host.toLowerCase()));

  const isOurs = (host: string): boolean => LOCAL_HOST.test(host) || named.has(host) || named.has(host.replace(/:\d{1,5}$/, ''));

  const faultOf = ({ socket, headers }: IncomingMessage): string | undefined => {
    if (!isNear(socket.remoteAddress)) return 'sent from another machine';
    if (!isOurs((headers.host ?? '').toLowerCase())) return 'addressed by another name';
    if (isFromForeignPage(headers)) return 'sent by a page of another site';
    if (FORWARDED.some((name) => headers[name] !== undefined)) return 'forwarded by a proxy';
    return undefined;
  };

  return (request, _reply, done) => {
    const fault = faultOf(request.raw);
    if (fault === undefined) done();
    else done(new NotAllowed(fault));
  };
};

/** A browser names the page, also for requests that it sends without a preflight. The user who types an address, and a page of this host itself, are no other site. */
const isFromForeignPage = ({ host, origin, 'sec-fetch-site': site }: IncomingHttpHeaders): boolean =>
  (origin !== undefined && URL.parse(origin)?.host !== host?.toLowerCase()) || (site !== undefined && site !== 'same-origin' && site !== 'none');
