import { isIP, type Socket } from 'node:net';

import type { FastifyRequest } from 'fastify';

import { addressIn, networkOf } from './network-of.js';
import { within } from './within.js';

interface Origin extends Pick<FastifyRequest, 'headers' | 'ips'> {
  /** Undefined once the connection is closed. */
  readonly ip: string | undefined;
}

/** All callers whose proxy names something else than an address share its counts. */
const NO_ADDRESS = 'no address';

/**
 * The caller by whom requests are counted: its network, as {@link networkOf} writes it. One name for every request that comes without an address. Each limit
 * by address uses it; no other file reads the address of a request.
 */
export const callerOf = ({ ip }: Pick<Origin, 'ip'>): string => networkOf(ip ?? '') ?? NO_ADDRESS;

/**
 * The network that a request comes from, as {@link networkOf} writes it. Two requests of one network give the same text, however their addresses are spelled.
 *
 * Undefined if the service cannot know the network. With TRUSTED_PROXIES, only the address that one of these proxies reports counts. Without them, a
 * request that another proxy has passed on would show that proxy's address. An address with a zone is of one link alone, so it names no network.
 */
export const clientNetwork = ({ headers, ip, ips }: Origin): string | undefined => {
  const isKnown = ips ? ips.length > 1 : headers['x-forwarded-for'] === undefined && headers['forwarded'] === undefined;
  return isKnown && ip !== undefined && !ip.includes('%') ? networkOf(ip) : undefined;
};

/**
 * Why the callers of a request's proxy cannot be told apart: a proxy of TRUSTED_PROXIES sends no `X-Forwarded-For`, or something else than an address in it, or a proxy that
 * TRUSTED_PROXIES does not name passes the request on.
 */
export type ProxyFault = 'no address' | 'no IP address' | 'not trusted';

/** Judges the proxy of each request. `publicHosts`: the hosts of the public addresses, by which a request is known that a proxy has passed on without a header. */
export const proxyJudge = (
  trustedProxies: readonly string[],
  publicHosts: ReadonlySet<string>,
): ((request: FastifyRequest) => ProxyFault | undefined) => {
  const trusts = within(trustedProxies);
  // A proxy keeps its connections, so most requests look up what is known.
  const known = new WeakMap<Socket, boolean>();
  const isTrusted = ({ raw: { socket } }: FastifyRequest): boolean => {
    const found = known.get(socket) ?? trusts(socket.remoteAddress);
    known.set(socket, found);
    return found;
  };
  return (request) => {
    const { headers } = request;
    const forwarded = headers['x-forwarded-for'];
    if (!isTrusted(request)) return forwarded !== undefined || headers['forwarded'] !== undefined ? 'not trusted' : undefined;
    if (forwarded === undefined) return publicHosts.has((headers.host ?? '').toLowerCase()) ? 'no address' : undefined;
    if (typeof forwarded === 'string' && isIP(forwarded) !== 0) return undefined;
    return addressIn(request.ip ?? '') === undefined ? 'no IP address' : undefined;
  };
};
