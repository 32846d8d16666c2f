import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { BlockList, isIPv6 } from 'node:net';

import type { onRequestHookHandler } from 'fastify';

import { domainError } from '#kernel';

export class NotAllowed extends domainError('not_allowed') {}

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

/** The names of this machine that no name server can give to another one. */
const LOCAL_HOST = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/i;

/** Headers that a proxy adds: behind one, the loopback address may stand for another machine. */
const FORWARDED = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via'];

/**
 * Answers this machine only. The socket says where a request comes from; `Host` keeps out a web page whose own name
 * was made to point here (DNS rebinding), and `Origin` and `Sec-Fetch-Site` every page of another site. That bodies are JSON keeps
 * out forms once more. No route answers a preflight (CORS).
 */
export const loopbackOnly: onRequestHookHandler = (request, _reply, done) => {
  const fault = faultOf(request.raw);
  if (fault === undefined) done();
  else done(new NotAllowed(fault));
};

const faultOf = ({ socket, headers }: IncomingMessage): string | undefined => {
  if (!isLoopback(socket.remoteAddress)) return 'sent from another machine';
  if (!LOCAL_HOST.test(headers.host ?? '')) return 'addressed by another name';
  if (isFromForeignPage(headers)) return 'sent by a page of another site';
  if (FORWARDED.some((name) => headers[name] !== undefined)) return 'forwarded by a proxy';
  return undefined;
};

/** A browser names the page, also for requests that it sends without a preflight. The user who types an address, and a page of this host itself, are no other site. */
const isFromForeignPage = ({ host, origin, 'sec-fetch-site': site }: IncomingHttpHeaders): boolean =>
  (origin !== undefined && URL.parse(origin)?.host !== host?.toLowerCase()) || (site !== undefined && site !== 'same-origin' && site !== 'none');

const isLoopback = (address: string | undefined): boolean => address !== undefined && loopback.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
